import * as v from 'valibot';
import { nameOf } from '../../accounts/principal.ts';
import { HookrelayError } from '../../core/errors.ts';
import { shownRule } from '../../core/rules/rule.ts';
import type { Clock } from '../../core/runtime.ts';
import type { DestinationStore, RuleVersion } from '../../store/contract/destinations.ts';
import type * as api from '../answers/rule.ts';
import { changeDestination, noDestination } from '../change-destination.ts';
import { destinationTarget } from '../destination-target.ts';
import { type Route, route } from '../route.ts';
import { pageEntries, pageSchema, windowOf } from '../schemas/page.ts';
import { isoTime, isoTimeSchema } from '../views.ts';

/** As many versions as a destination keeps. */
const MAX_LIMIT = 100;

const shownRuleSchema = v.nullable(v.union([v.string(), v.looseObject({})]));

const ruleVersionSchema = v.object({
  version: v.number(),
  filter: shownRuleSchema,
  transform: v.null(),
  changed_at: isoTimeSchema,
  changed_by: v.nullable(v.string()),
});

export interface RuleRoutesOptions {
  destinations: DestinationStore;
  clock: Clock;
}

/** The versions of a destination's filter. */
export function ruleRoutes({ destinations, clock }: RuleRoutesOptions): Route[] {
  const tag = 'rules';
  const path = '/api/endpoints/{id}/destinations/{destinationId}/rules';
  const versionsOf = async (endpointKey: number, destinationId: string) => {
    const versions = await destinations.rules(endpointKey, destinationId);
    if (versions) return versions;
    throw noDestination();
  };
  return [
    route({
      method: 'GET',
      path,
      summary: 'List the versions of a destination’s rule, newest first',
      tag,
      access: 'endpoint',
      scope: 'read',
      query: v.object(pageEntries(MAX_LIMIT)),
      status: 200,
      response: pageSchema(ruleVersionSchema),
      async handle({ endpoint, params, query }) {
        const { page, limit, offset } = windowOf(query);
        const versions = await versionsOf(endpoint.key, params.destinationId as string);
        const shown = versions.slice(offset, offset + limit);
        return { data: shown.map(versionView), page, limit, total: versions.length };
      },
    }),
    route({
      method: 'POST',
      path: `${path}/{version}`,
      summary: 'Set an earlier version of the rule again; it becomes the newest version',
      tag,
      access: 'endpoint',
      scope: 'write',
      audit: 'destination.update',
      status: 200,
      response: ruleVersionSchema,
      async handle({ endpoint, params, principal, record }) {
        const id = params.destinationId as string;
        const versions = await versionsOf(endpoint.key, id);
        const chosen = versions.find(({ version }) => String(version) === params.version);
        if (!chosen) {
          throw new HookrelayError(
            'rule_version_not_found',
            'there is no such version of the rule',
            {
              hint: `hookrelay rules versions ${endpoint.id} ${id}`,
            },
          );
        }
        const by = { at: clock.now(), by: nameOf(principal) };
        const settings = { filter: chosen.filter };
        const { after } = await changeDestination(destinations, endpoint.key, id, by, () => ({
          settings,
        }));
        const [newest] = await versionsOf(endpoint.key, id);
        if (!newest) throw noDestination();
        record({
          target: destinationTarget(after),
          changes: { filter: [shown(versions[0]?.filter ?? null), shown(chosen.filter)] },
        });
        return versionView(newest);
      },
    }),
  ];
}

function shown(filter: RuleVersion['filter']): unknown {
  return filter === null ? null : shownRule(filter);
}

function versionView({ version, filter, changedAt, changedBy }: RuleVersion): api.RuleVersion {
  return {
    version,
    filter: shown(filter),
    transform: null,
    changed_at: isoTime(changedAt),
    changed_by: changedBy,
  };
}
