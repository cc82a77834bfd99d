import type { RuleSource } from '../../core/rules/rule.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import type { EventStore } from '../../store/contract/events.ts';
import type { SearchTurns } from '../events/search-turns.ts';
import { existing } from '../not-found.ts';
import { OneAtATime } from '../one-at-a-time.ts';
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
export function ruleTrialRoutes(options: RuleTrialRoutesOptions): Route[] {
  const { events, destinations, searches } = options;
  const trials = new OneAtATime('an account tries one rule at a time', DEADLINE_MS);

  async function presentRule(endpointKey: number, id: string): Promise<RuleSource | null> {
    return existing(await destinations.get(endpointKey, id), 'destination').settings.filter;
  }

  return routesOf(RULE_TRIAL_CALLS, {
    async 'POST /api/endpoints/{id}/rules/try'({ principal, endpoint, body, signal }) {
      const { destination_id: destinationId, last = DEFAULT_EVENTS, event_ids: ids } = body;
      const present =
        destinationId === undefined ? null : await presentRule(endpoint.key, destinationId);
      const { filter = present } = body;
      const trial = {
        rules: [filter, present],
        events: ids ? { ids } : { last },
        deadlineMs: DEADLINE_MS,
      };
      const account = principal.user.id;
      const tried = await trials.run(account, () =>
        searches.inTurn(account, signal, () => events.tryRules(endpoint.key, trial, signal)),
      );
      return ruleTrialView(tried);
    },
  });
}
