import * as v from 'valibot';
import type { Principal } from '../../accounts/principal.ts';
import { loadCase } from '../../ai/diagnose/load-case.ts';
import { type AiEvent, aiEvent } from '../../ai/event-input.ts';
import { learnedTypeOf } from '../../ai/event-type.ts';
import { HANDLER_PAIRS } from '../../ai/handler/pairs.ts';
import type { SchemaWriter } from '../../ai/learned/schema-writer.ts';
import type { AiOperations, Caller } from '../../ai/operations.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { DeliveryStore } from '../../store/contract/deliveries.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { LiveStore } from '../../store/contract/live.ts';
import type { StoredType, TypeStore } from '../../store/contract/types.ts';
import { type Route, route } from '../route.ts';
import { schemaOf } from '../types/written-schema.ts';

const engine = v.pipe(
  v.string(),
  v.description('The engine of this answer: `builtin`, or `ollama/` and the model.'),
);

/** The pairs are for the OpenAPI document. The operation checks them, and its error names them. */
const handlerSchema = v.pipe(
  v.object({
    language: v.pipe(
      v.string('must be a string'),
      v.metadata({ enum: Object.keys(HANDLER_PAIRS), examples: ['typescript'] }),
    ),
    framework: v.pipe(
      v.string('must be a string'),
      v.metadata({
        description: 'A framework of the language; the alternatives list the pairs.',
        enum: [...new Set(Object.values(HANDLER_PAIRS).flat())],
        examples: ['express'],
      }),
    ),
  }),
  v.metadata({
    anyOf: Object.entries(HANDLER_PAIRS).map(([language, frameworks]) => ({
      type: 'object',
      properties: { language: { const: language }, framework: { enum: frameworks } },
    })),
  }),
);

const overQuerySchema = v.object({
  over: v.optional(
    v.pipe(
      v.picklist(['event', 'type'], 'must be one of event, type'),
      v.description(
        'event, the default: from this body alone; type: from all events of its type, and from ' +
          'this body alone where none was learned.',
      ),
    ),
  ),
});

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
export function aiRoutes({
  ai,
  events,
  destinations,
  deliveries,
  live,
  types,
  schemas,
  clock,
  limits,
}: AiRoutesOptions): Route[] {
  const base = '/api/endpoints/{id}/events/{eventId}/ai';
  const common = {
    tag: 'ai',
    access: 'event',
    scope: 'read',
    paid: true,
    status: 200,
  } as const;

  /** Reads an event when an operation has a free slot: its body may have 25 MiB. */
  const loader =
    ({ event, endpoint }: { event: EventSummary; endpoint: Endpoint }) =>
    async (): Promise<AiEvent> => {
      const content = await events.content(event.seq);
      if (!content) throw new HookrelayError('event_not_found', 'there is no such event');
      return aiEvent(event, content, endpoint.source);
    };

  /** What was learned from all events of an event's type. */
  const typeOf = async ({ key }: Endpoint, event: AiEvent): Promise<StoredType | null> => {
    const type = learnedTypeOf(event);
    return type === null ? null : types.find(key, type);
  };

  return [
    route({
      ...common,
      method: 'GET',
      path: `${base}/explain`,
      summary: 'Explain an event in plain English',
      response: v.object({ explanation: v.string(), engine }),
      handle: (context) => ai.explain(loader(context), callerOf(context)),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${base}/schema`,
      summary: 'Derive TypeScript interfaces from an event’s body, or from all of its type',
      query: overQuerySchema,
      response: v.object({ schema: v.string(), engine }),
      handle: (context) =>
        ai.schema(
          loader(context),
          callerOf(context),
          context.query.over === 'type'
            ? async (event) => {
                const found = await typeOf(context.endpoint, event);
                return found && schemaOf(schemas, found, 'typescript', context.signal);
              }
            : undefined,
        ),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/handler`,
      summary: 'Write a handler for events like this one, and its test, in a framework',
      audit: { unaudited: 'it writes an answer and changes nothing' },
      query: overQuerySchema,
      body: handlerSchema,
      response: v.object({
        file: v.pipe(v.string(), v.description('The name of the handler’s file.')),
        code: v.string(),
        test_file: v.pipe(v.string(), v.description('The name of the test’s file, beside it.')),
        test: v.string(),
        engine,
      }),
      handle: async (context) => {
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
    }),
    route({
      ...common,
      method: 'GET',
      path: `${base}/diagnose`,
      summary: 'Explain why deliveries of an event failed, and suggest what to do',
      response: v.object({ diagnosis: v.string(), suggestion: v.string(), engine }),
      handle: (context) =>
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
    }),
  ];
}

function callerOf(context: { principal: Principal; signal: AbortSignal }): Caller {
  return { account: context.principal.user.id, signal: context.signal };
}
