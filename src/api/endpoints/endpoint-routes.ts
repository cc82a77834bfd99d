import { type Principal, reaches } from '../../accounts/principal.ts';
import type { AuditTarget } from '../../core/audit.ts';
import type { Endpoint } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { EndpointSettings } from '../../core/settings/endpoint-settings.ts';
import { newEndpoint } from '../../core/settings/new-endpoint.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { changesBetween } from '../audit-note.ts';
import { nameWarnings } from '../name-warnings.ts';
import { notFound } from '../not-found.ts';
import { type Route, routesOf } from '../route.ts';
import { changedDedupe, changedSource } from '../sources/changed-source.ts';
import { warned } from '../warnings-schema.ts';
import { changeEndpoint } from './change-endpoint.ts';
import { ENDPOINT_CALLS } from './endpoint-calls.ts';
import { EndpointViews } from './endpoint-view.ts';

export interface EndpointRoutesOptions {
  endpoints: EndpointStore;
  keys: Keys;
  clock: Clock;
  /** Most endpoints of an account. */
  most: number;
  /** Origin of capture URLs. */
  baseUrl(): string;
  /** Called after `expect_every` is set, changed or removed. */
  onExpectationChanged(endpointKey: number): void;
  /** Called after a change of the source. */
  onSourceChanged(): void;
  /** Called after a deletion: the purge has work. */
  onRemoved(): void;
}

export function endpointRoutes({
  endpoints,
  keys,
  clock,
  most,
  baseUrl,
  onExpectationChanged,
  onSourceChanged,
  onRemoved,
}: EndpointRoutesOptions): Route[] {
  const views = new EndpointViews({ endpoints, keys, baseUrl });
  const visibleTo = async (principal: Principal) =>
    (await endpoints.list(principal.user.id)).filter(({ key }) => reaches(principal, key));
  return routesOf(ENDPOINT_CALLS, {
    'GET /api/endpoints': async ({ principal }) => views.all(await visibleTo(principal)),
    async 'POST /api/endpoints'({ principal, body, record }) {
      const { source: given, dedupe: by, ...chosen } = body;
      const made = newEndpoint(principal.user.id, body.name, clock.now());
      const source = changedSource(made, given ?? null, keys);
      const dedupe = changedDedupe({ source, dedupe: null }, by);
      const settings = { ...made.settings, ...chosen, dedupe };
      const endpoint = await endpoints.create({ ...made, settings, source }, most);
      if (settings.expect_every !== null) onExpectationChanged(endpoint.key);
      record({
        target: targetOf(endpoint),
        changes: changesBetween(null, views.settings(endpoint)),
      });
      const twins = nameWarnings(endpoint, await visibleTo(principal));
      return { ...(await views.one(endpoint)), ...warned([...twins]) };
    },
    'GET /api/endpoints/{id}': ({ endpoint }) => views.one(endpoint),
    async 'PATCH /api/endpoints/{id}'({ principal, endpoint, body, record }) {
      const { source: given, dedupe: by, ...chosen } = body;
      const changed = await changeEndpoint(endpoints, endpoint, (before) => {
        const source = given === undefined ? before.source : changedSource(before, given, keys);
        const { dedupe } = before.settings;
        const settings = {
          ...chosen,
          ...(by !== undefined && { dedupe: changedDedupe({ source, dedupe }, by) }),
        };
        return {
          settings: settings as Partial<EndpointSettings>,
          now: clock.now(),
          ...(given !== undefined && { source }),
        };
      });
      const updated = changed.after;
      if (updated.settings.expect_every !== changed.before.settings.expect_every) {
        onExpectationChanged(updated.key);
      }
      if (given !== undefined) onSourceChanged();
      const [before, after] = [views.settings(changed.before), views.settings(updated)];
      const changes = changesBetween(before, after);
      // Two secrets may have one mask.
      if (given?.secrets) changes.source = [before.source, after.source];
      record({ target: targetOf(updated), changes });
      const isRenamed = updated.settings.name !== changed.before.settings.name;
      const twins = isRenamed ? nameWarnings(updated, await visibleTo(principal)) : [];
      return { ...(await views.one(updated)), ...warned([...twins]) };
    },
    async 'DELETE /api/endpoints/{id}'({ endpoint, record }) {
      if (!(await endpoints.remove(endpoint.key, clock.now()))) throw notFound('endpoint');
      onRemoved();
      record({ target: targetOf(endpoint) });
    },
  });
}

function targetOf({ id, settings }: Endpoint): AuditTarget {
  return { type: 'endpoint', id, name: settings.name };
}
