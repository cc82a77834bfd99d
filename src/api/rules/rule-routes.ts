import { nameOf } from '../../accounts/principal.ts';
import { HookrelayError } from '../../core/errors.ts';
import { shownRule } from '../../core/rules/rule.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { DestinationStore, RuleVersion } from '../../store/contract/destinations.ts';
import { changeDestination } from '../destinations/change-destination.ts';
import { destinationAuditTarget } from '../destinations/destination-audit-target.ts';
import { isoTime } from '../iso-time.ts';
import { windowOf } from '../list-page-schema.ts';
import { existing, notFound } from '../not-found.ts';
import { type Route, routesOf } from '../route.ts';
import type * as api from './rule-answer.ts';
import { RULE_CALLS } from './rule-calls.ts';

export interface RuleRoutesOptions {
  destinations: DestinationStore;
  clock: Clock;
}

/** The versions of a destination's filter. */
export function ruleRoutes({ destinations, clock }: RuleRoutesOptions): Route[] {
  const versionsOf = async (endpointKey: number, destinationId: string) =>
    existing(await destinations.rules(endpointKey, destinationId), 'destination');
  return routesOf(RULE_CALLS, {
    async 'GET /api/endpoints/{id}/destinations/{destinationId}/rules'(context) {
      const { endpoint, params, query } = context;
      const { page, limit, offset } = windowOf(query);
      const versions = await versionsOf(endpoint.key, params.destinationId);
      const shown = versions.slice(offset, offset + limit);
      return { data: shown.map(versionView), page, limit, total: versions.length };
    },
    async 'POST /api/endpoints/{id}/destinations/{destinationId}/rules/{version}'(context) {
      const { endpoint, params, principal, record } = context;
      const id = params.destinationId;
      const versions = await versionsOf(endpoint.key, id);
      const chosen = versions.find(({ version }) => String(version) === params.version);
      if (!chosen) {
        throw new HookrelayError('rule_version_not_found', 'there is no such version of the rule', {
          hint: `hookrelay rules versions ${endpoint.id} ${id}`,
        });
      }
      const by = { at: clock.now(), by: nameOf(principal) };
      const settings = { filter: chosen.filter };
      const { after } = await changeDestination(destinations, endpoint.key, id, by, () => ({
        settings,
      }));
      const [newest] = await versionsOf(endpoint.key, id);
      if (!newest) throw notFound('destination');
      record({
        target: destinationAuditTarget(after),
        changes: { filter: [shown(versions[0]?.filter ?? null), shown(chosen.filter)] },
      });
      return versionView(newest);
    },
  });
}

function shown(filter: RuleVersion['filter']): api.RuleVersionAnswer['filter'] {
  return filter === null ? null : shownRule(filter);
}

function versionView({
  version,
  filter,
  changedAt,
  changedBy,
}: RuleVersion): api.RuleVersionAnswer {
  return {
    version,
    filter: shown(filter),
    transform: null,
    changed_at: isoTime(changedAt),
    changed_by: changedBy,
  };
}
