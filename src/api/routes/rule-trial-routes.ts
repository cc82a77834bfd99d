import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import { ruleSchema } from '../../core/settings/rule-schema.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import { type Route, route } from '../route.ts';
import { ruleTrialView } from '../rule-trial.ts';
import type { Searches } from '../searching/searches.ts';

/** Most events that a rule is tried on. */
const MAX_EVENTS = 10_000;
const DEFAULT_EVENTS = 1000;
/** Time after which no further event is tried, ms. */
const DEADLINE_MS = 5000;
/** Longest input: `MAX_EVENTS` ids and a rule. */
const MAX_BODY_BYTES = 512 * 1024;

const LAST = `must be a whole number from 1 to ${MAX_EVENTS}`;

const trySchema = v.pipe(
  strictObject({
    filter: v.optional(
      v.nullable(
        ruleSchema(
          'The rule to try, in text or as JSON. Null fits every event. Default: the destination’s present one.',
          'body.type=invoice.paid',
        ),
      ),
    ),
    transform: v.optional(v.null('transforms are not implemented yet')),
    destination_id: v.optional(
      v.pipe(
        v.string('must be a string'),
        v.description('The destination whose present rule is compared.'),
      ),
    ),
    last: v.optional(
      v.pipe(
        v.number(LAST),
        v.integer(LAST),
        v.minValue(1, LAST),
        v.maxValue(MAX_EVENTS, LAST),
        v.description(`The number of newest events to try. Default: ${DEFAULT_EVENTS}.`),
      ),
    ),
    event_ids: v.optional(
      v.pipe(
        v.array(v.string('must be a string'), 'must be a list of event ids'),
        v.maxLength(MAX_EVENTS, `must be at most ${MAX_EVENTS} event ids`),
        v.description('The events to try, instead of `last`.'),
      ),
    ),
  }),
  v.forward(
    v.check(
      ({ filter, destination_id }) => filter !== undefined || destination_id !== undefined,
      'is missing, and no destination_id names a destination whose rule can be tried',
    ),
    ['filter'],
  ),
  v.forward(
    v.check(
      ({ last, event_ids }) => last === undefined || event_ids === undefined,
      'can’t go with last: name the events, or how many',
    ),
    ['event_ids'],
  ),
);

const outcome = v.picklist(['matched', 'dropped']);

const trialSchema = v.object({
  tried: v.number(),
  matched: v.number(),
  dropped: v.number(),
  failed: v.number(),
  changed: v.array(v.object({ event_id: v.string(), before: outcome, after: outcome })),
  changed_total: v.number(),
  samples: v.array(
    v.object({
      event_id: v.string(),
      output: outcome,
      error: v.optional(v.string()),
      logs: v.array(v.string()),
      diff: v.null(),
    }),
  ),
});

export interface RuleTrialRoutesOptions {
  events: Pick<EventStore, 'tryRules'>;
  destinations: Pick<DestinationStore, 'get'>;
  searches: Pick<Searches, 'inTurn'>;
}

/** Rules tried on history, before they are saved. */
export function ruleTrialRoutes({
  events,
  destinations,
  searches,
}: RuleTrialRoutesOptions): Route[] {
  /** Accounts with a trial under way. */
  const trying = new Set<string>();

  async function presentRule(endpointKey: number, id: string): Promise<RuleSource | null> {
    const destination = await destinations.get(endpointKey, id);
    if (destination) return destination.settings.filter;
    throw new HookrelayError('destination_not_found', 'there is no such destination');
  }

  return [
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/rules/try',
      summary: 'Try a rule on past events; nothing is saved or delivered',
      tag: 'rules',
      access: 'endpoint',
      scope: 'read',
      audit: { unaudited: 'it counts events and changes nothing' },
      body: trySchema,
      maxBodyBytes: MAX_BODY_BYTES,
      status: 200,
      response: trialSchema,
      async handle({ principal, endpoint, body, signal }) {
        const { destination_id: destinationId, last = DEFAULT_EVENTS, event_ids: ids } = body;
        const present =
          destinationId === undefined ? null : await presentRule(endpoint.key, destinationId);
        const { filter = present } = body;
        const account = principal.user.id;
        if (trying.has(account)) throw oneAtATime();
        trying.add(account);
        try {
          const trial = {
            rules: [filter, present],
            events: ids ? { ids } : { last },
            deadlineMs: DEADLINE_MS,
          };
          const tried = await searches.inTurn(account, signal, () =>
            events.tryRules(endpoint.key, trial, signal),
          );
          return ruleTrialView(tried);
        } finally {
          trying.delete(account);
        }
      },
    }),
  ];
}

function oneAtATime(): HookrelayError {
  const retryAfterS = DEADLINE_MS / 1000;
  return new HookrelayError('rate_limited', 'an account tries one rule at a time', {
    hint: `try again in ${retryAfterS} s`,
    retryAfterS,
  });
}
