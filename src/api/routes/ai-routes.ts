import * as v from 'valibot';
import type { Principal } from '../../accounts/principal.ts';
import { loadCase } from '../../ai/diagnose/load-case.ts';
import { type AiEvent, aiEvent } from '../../ai/event-input.ts';
import { HANDLER_PAIRS } from '../../ai/handler/pairs.ts';
import type { AiOperations, Caller } from '../../ai/operations.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { EventSummary } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { LiveStore } from '../../store/contract/live.ts';
import { type Route, route } from '../route.ts';

const engine = v.pipe(
  v.string(),
  v.description('What made it: `builtin`, or `ollama/` and the model.'),
);

/** The pairs are checked by the operation, whose error names them; here they are for the document. */
const handlerSchema = v.pipe(
  v.object({
    language: v.pipe(
      v.string('must be a string'),
      v.metadata({ enum: Object.keys(HANDLER_PAIRS), examples: ['typescript'] }),
    ),
    framework: v.pipe(
      v.string('must be a string'),
      v.metadata({
        description: 'One of the language, as the alternatives have it.',
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

export interface AiRoutesOptions {
  ai: AiOperations;
  events: EventStore;
  destinations: DestinationStore;
  live: LiveStore;
  clock: Clock;
  /** What deliveries are held to. */
  limits: { attemptTimeoutMs: number; attempts: number };
}

/** The four operations on an event, for accounts of the starter and pro plans. */
export function aiRoutes({
  ai,
  events,
  destinations,
  live,
  clock,
  limits,
}: AiRoutesOptions): Route[] {
  const base = '/api/endpoints/{id}/events/{eventId}/ai';
  const common = { tag: 'ai', access: 'event', paid: true, status: 200 } as const;

  /** Read once there is a place to work on it: a body may have 25 MiB. */
  const loader = (event: EventSummary) => async (): Promise<AiEvent> => {
    const content = await events.content(event.seq);
    if (!content) throw new HookrelayError('event_not_found', 'there is no such event');
    return aiEvent(event, content);
  };

  return [
    route({
      ...common,
      method: 'GET',
      path: `${base}/explain`,
      summary: 'Tell in plain English what an event is',
      response: v.object({ explanation: v.string(), engine }),
      handle: (context) => ai.explain(loader(context.event), callerOf(context)),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${base}/schema`,
      summary: 'Derive TypeScript interfaces from an event’s body',
      response: v.object({ schema: v.string(), engine }),
      handle: (context) => ai.schema(loader(context.event), callerOf(context)),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${base}/handler`,
      summary: 'Write a handler for events like this one, in a language with a framework of its',
      body: handlerSchema,
      response: v.object({ code: v.string(), engine }),
      handle: (context) => ai.handler(loader(context.event), context.body, callerOf(context)),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${base}/diagnose`,
      summary: 'Tell why deliveries of an event failed, and what to do',
      response: v.object({ diagnosis: v.string(), suggestion: v.string(), engine }),
      handle: (context) =>
        ai.diagnose(
          () =>
            loadCase(
              context.event,
              context.endpoint,
              { events, destinations, live },
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
