import type { Principal } from '../../accounts/principal.ts';
import { loadCase } from '../../ai/diagnose/load-case.ts';
import { type AiEvent, aiEvent } from '../../ai/event-input.ts';
import { learnedTypeOf } from '../../ai/event-type.ts';
import type { SchemaWriter } from '../../ai/learned/schema-writer.ts';
import type { AiCaller, AiOperations } from '../../ai/operations.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { DeliveryStore } from '../../store/contract/deliveries.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { LiveStore } from '../../store/contract/live.ts';
import type { StoredType, TypeStore } from '../../store/contract/types.ts';
import { existing } from '../not-found.ts';
import { type Route, routesOf } from '../route.ts';
import { writtenSchemaOf } from '../types/written-schema.ts';
import { AI_CALLS } from './ai-calls.ts';

export interface AiRoutesOptions {
  ai: AiOperations;
  events: EventStore;
  destinations: DestinationStore;
  deliveries: DeliveryStore;
  live: LiveStore;
  types: Pick<TypeStore, 'find'>;
  schemas: Pick<SchemaWriter, 'write'>;
  clock: Clock;
  /** Limits of deliveries. */
  limits: { attemptTimeoutMs: number; attempts: number };
}

/** The four operations on an event, for accounts of the starter and pro plans. */
export function aiRoutes(options: AiRoutesOptions): Route[] {
  const { ai, events, destinations, deliveries, live, types, schemas, clock, limits } = options;
  /** Reads an event when an operation has a free slot: its body may have 25 MiB. */
  const loader =
    ({ event, endpoint }: { event: EventSummary; endpoint: Endpoint }) =>
    async (): Promise<AiEvent> => {
      const content = existing(await events.content(event.seq), 'event');
      return aiEvent(event, content, endpoint.source);
    };

  /** The type of an event, as learned from all its events. */
  const typeOf = async ({ key }: Endpoint, event: AiEvent): Promise<StoredType | null> => {
    const type = learnedTypeOf(event);
    return type === null ? null : types.find(key, type);
  };

  return routesOf(AI_CALLS, {
    'GET /api/endpoints/{id}/events/{eventId}/ai/explain': (context) =>
      ai.explain(loader(context), callerOf(context)),
    'GET /api/endpoints/{id}/events/{eventId}/ai/schema': (context) =>
      ai.schema(
        loader(context),
        callerOf(context),
        context.query.over === 'type'
          ? async (event) => {
              const found = await typeOf(context.endpoint, event);
              return found && writtenSchemaOf(schemas, found, 'typescript', context.signal);
            }
          : undefined,
      ),
    'POST /api/endpoints/{id}/events/{eventId}/ai/handler': async (context) => {
      const { testFile, ...handler } = await ai.handler(
        loader(context),
        context.body,
        callerOf(context),
        context.query.over === 'type'
          ? async (event) => (await typeOf(context.endpoint, event))?.shape ?? null
          : undefined,
      );
      return { ...handler, test_file: testFile };
    },
    'GET /api/endpoints/{id}/events/{eventId}/ai/diagnose': (context) =>
      ai.diagnose(
        () =>
          loadCase(
            context.event,
            context.endpoint,
            { events, destinations, deliveries, live },
            { now: clock.now(), limits },
          ),
        callerOf(context),
      ),
  });
}

function callerOf(context: { principal: Principal; signal: AbortSignal }): AiCaller {
  return { account: context.principal.user.id, signal: context.signal };
}
