import { reaches } from '../../accounts/principal.ts';
import type { AuditTarget } from '../../core/audit.ts';
import { DEFAULT_ON_UNJUDGED } from '../../core/judging/unjudged.ts';
import type { Endpoint } from '../../core/model.ts';
import { newEndpoint } from '../../core/new-endpoint.ts';
import type { Clock } from '../../core/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { changesBetween } from '../audit-note.ts';
import { ENDPOINT_CALLS } from '../calls/endpoint-calls.ts';
import { changeEndpoint, noEndpoint } from '../change-endpoint.ts';
import { type Route, routesOf } from '../route.ts';
import { changedDedupe, changedSource } from '../source/chosen-settings.ts';
import { EndpointViews } from '../source/endpoint-view.ts';

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
  return routesOf(ENDPOINT_CALLS, {
    'GET /api/endpoints': async ({ principal }) =>
      views.all(
        (await endpoints.list(principal.user.id)).filter(({ key }) => reaches(principal, key)),
      ),
    async 'POST /api/endpoints'({ principal, body, record }) {
      const plain = {
        ...newEndpoint(principal.user.id, body.name, clock.now()),
        response: body.response ?? null,
        retentionMs: body.retention ?? null,
        expectEveryMs: body.expect_every ?? null,
        onUnjudged: body.on_unjudged ?? DEFAULT_ON_UNJUDGED,
      };
      const source = changedSource(plain, body.source ?? null, keys);
      const dedupe = changedDedupe({ ...plain, source }, body.dedupe ?? null);
      const endpoint = await endpoints.create({ ...plain, source, dedupe }, most);
      if (endpoint.expectEveryMs !== null) onExpectationChanged(endpoint.key);
      record({
        target: targetOf(endpoint),
        changes: changesBetween(null, views.settings(endpoint)),
      });
      return views.one(endpoint);
    },
    'GET /api/endpoints/{id}': ({ endpoint }) => views.one(endpoint),
    async 'PATCH /api/endpoints/{id}'({ endpoint, body, record }) {
      const changed = await changeEndpoint(endpoints, endpoint, (before) => {
        const source =
          body.source === undefined ? before.source : changedSource(before, body.source, keys);
        return {
          ...(body.name !== undefined && { name: body.name }),
          ...(body.is_active !== undefined && { isActive: body.is_active }),
          ...(body.response !== undefined && { response: body.response }),
          ...(body.retention !== undefined && { retentionMs: body.retention }),
          ...(body.expect_every !== undefined &&
            body.expect_every !== before.expectEveryMs && {
              expect: { everyMs: body.expect_every, now: clock.now() },
            }),
          ...(body.on_unjudged !== undefined && {
            onUnjudged: body.on_unjudged ?? DEFAULT_ON_UNJUDGED,
          }),
          ...(body.source !== undefined && { source }),
          ...(body.dedupe !== undefined && {
            dedupe: changedDedupe({ ...before, source }, body.dedupe),
          }),
        };
      });
      const updated = changed.after;
      if (updated.expectEveryMs !== changed.before.expectEveryMs) {
        onExpectationChanged(updated.key);
      }
      if (body.source !== undefined) onSourceChanged();
      const [before, after] = [views.settings(changed.before), views.settings(updated)];
      const changes = changesBetween(before, after);
      // Two secrets may have one mask.
      if (body.source?.secrets) changes.source = [before.source, after.source];
      record({ target: targetOf(updated), changes });
      return views.one(updated);
    },
    async 'DELETE /api/endpoints/{id}'({ endpoint, record }) {
      if (!(await endpoints.remove(endpoint.key, clock.now()))) throw noEndpoint();
      onRemoved();
      record({ target: targetOf(endpoint) });
    },
  });
}

function targetOf({ id, name }: Endpoint): AuditTarget {
  return { type: 'endpoint', id, name };
}
