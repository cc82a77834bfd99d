import { HookrelayError } from '../../core/errors.ts';
import type { RuleSource } from '../../core/rules/rule.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { SearchTurns } from '../events/search-turns.ts';
import { type Route, routesOf } from '../route.ts';
import { DEFAULT_EVENTS, RULE_TRIAL_CALLS } from './rule-trial-calls.ts';
import { ruleTrialView } from './rule-trial-view.ts';

/** Time after which no further event is tried, ms. */
const DEADLINE_MS = 5000;

export interface RuleTrialRoutesOptions {
  events: Pick<EventStore, 'tryRules'>;
  destinations: Pick<DestinationStore, 'get'>;
  searches: Pick<SearchTurns, 'inTurn'>;
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

  return routesOf(RULE_TRIAL_CALLS, {
    async 'POST /api/endpoints/{id}/rules/try'({ principal, endpoint, body, signal }) {
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
  });
}

function oneAtATime(): HookrelayError {
  const retryAfterS = DEADLINE_MS / 1000;
  return new HookrelayError('rate_limited', 'an account tries one rule at a time', {
    hint: `try again in ${retryAfterS} s`,
    retryAfterS,
  });
}
