import { nameOf } from '../../accounts/principal.ts';
import { newId } from '../../core/ids.ts';
import type { Destination } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';
import type { DestinationPatch, DestinationStore } from '../../store/contract/destinations.ts';
import { changesBetween } from '../audit-note.ts';
import { nameWarnings } from '../name-warnings.ts';
import { existing, notFound } from '../not-found.ts';
import { type Route, routesOf } from '../route.ts';
import { warned } from '../warnings-schema.ts';
import { changeDestination } from './change-destination.ts';
import { destinationAuditTarget } from './destination-audit-target.ts';
import { DESTINATION_CALLS } from './destination-calls.ts';
import { DestinationViews } from './destination-view.ts';
import { secretWarnings, signsWarnings, urlWarnings } from './destination-warnings.ts';
import { requireSignable } from './require-signable.ts';
import { mergedHeaders, openHeaders, requireHeaders, sealHeaders } from './sealed-headers.ts';

export interface DestinationRoutesOptions {
  destinations: DestinationStore;
  keys: Keys;
  clock: Clock;
  /** Destinations of an endpoint. */
  most: number;
  /** Throws `invalid_input` for a URL that must not be delivered to. */
  checkUrl(url: string): Promise<URL>;
  /** Called after a change: deliveries of the destination may go now. */
  onChanged(destinationKey: number): void;
}

export function destinationRoutes(options: DestinationRoutesOptions): Route[] {
  const { destinations, keys, clock, most, checkUrl, onChanged } = options;
  const views = new DestinationViews(destinations, { keys, now: () => clock.now() });
  return routesOf(DESTINATION_CALLS, {
    'GET /api/endpoints/{id}/destinations': async ({ endpoint }) =>
      views.all(endpoint.key, await destinations.list(endpoint.key)),
    async 'POST /api/endpoints/{id}/destinations'({ endpoint, body, record, principal }) {
      const { url, secret, headers, ...settings } = body;
      const given = mergedHeaders([], headers ?? null);
      if (settings.sign_as !== null) requireSignable(endpoint, Boolean(secret), keys);
      const { href } = await checkUrl(url);
      const now = clock.now();
      const id = newId('dst', now);
      const added = {
        id,
        url: href,
        sealedSecret: secret ? keys.seal(secret, id) : null,
        sealedHeaders: sealHeaders(given, id, keys),
        settings,
        createdAt: now,
        createdBy: nameOf(principal),
      };
      const destination = existing(await destinations.add(endpoint.key, added, most), 'endpoint');
      record({
        target: destinationAuditTarget(destination),
        changes: changesBetween(null, views.settings(destination)),
      });
      const all = await destinations.list(endpoint.key);
      return {
        ...(await views.one(endpoint.key, destination)),
        ...warned([
          ...secretWarnings(secret),
          ...urlWarnings(destination, all),
          ...nameWarnings(destination, all),
          ...signsWarnings(settings.sign_as, endpoint.source),
        ]),
      };
    },
    async 'GET /api/endpoints/{id}/destinations/{destinationId}'({ endpoint, params }) {
      const found = await destinations.get(endpoint.key, params.destinationId);
      return views.one(endpoint.key, existing(found, 'destination'));
    },
    async 'PATCH /api/endpoints/{id}/destinations/{destinationId}'(context) {
      const { endpoint, params, body, record, principal } = context;
      const id = params.destinationId;
      const { url, secret, headers, ...settings } = body;
      const target = url === undefined ? null : await checkUrl(url);
      const by = { at: clock.now(), by: nameOf(principal) };
      const patchOf = (before: Destination): DestinationPatch => {
        const present = openHeaders(before, keys);
        const { sign_as: signAs = before.settings.sign_as } = settings;
        const hasSecret = secret === undefined ? before.sealedSecret !== null : secret !== null;
        // Other changes stay possible if the source changed after `sign_as` was set.
        const isNew = settings.sign_as !== undefined || secret != null;
        if (signAs !== null && isNew) requireSignable(endpoint, hasSecret, keys);
        if (target && target.origin !== new URL(before.url).origin) {
          requireHeaders(present, headers);
        }
        return {
          ...(target && { url: target.href }),
          ...(secret !== undefined && {
            sealedSecret: secret === null ? null : keys.seal(secret, id),
            previousSecret: null,
          }),
          ...(headers !== undefined && {
            sealedHeaders: sealHeaders(mergedHeaders(present, headers), id, keys),
          }),
          // JSON has no undefined: a member is there with a value, or not at all.
          settings: settings as Partial<DestinationSettings>,
        };
      };
      const changed = await changeDestination(destinations, endpoint.key, id, by, patchOf);
      onChanged(changed.after.key);
      const [old, now] = [views.settings(changed.before), views.settings(changed.after)];
      const changes = changesBetween(old, now);
      // Two secrets may have the same mask.
      if (secret != null) changes.secret = [old.secret ?? null, now.secret];
      if (headers && headers.length > 0) changes.headers = [old.headers, now.headers];
      record({ target: destinationAuditTarget(changed.after), changes });
      const isRenamed = changed.after.settings.name !== changed.before.settings.name;
      const all = url === undefined && !isRenamed ? [] : await destinations.list(endpoint.key);
      return {
        ...(await views.one(endpoint.key, changed.after)),
        ...warned([
          ...secretWarnings(secret),
          ...(url === undefined ? [] : urlWarnings(changed.after, all)),
          ...(isRenamed ? nameWarnings(changed.after, all) : []),
          ...signsWarnings(settings.sign_as, endpoint.source),
        ]),
      };
    },
    async 'DELETE /api/endpoints/{id}/destinations/{destinationId}'(context) {
      const { endpoint, params, query, record } = context;
      const id = params.destinationId;
      const found = existing(await destinations.get(endpoint.key, id), 'destination');
      const cancel = query.pending === 'cancel';
      const isRemoved = await destinations.remove(endpoint.key, id, clock.now(), cancel);
      if (!isRemoved) throw notFound('destination');
      // Deliveries that a pause held back can go now.
      onChanged(found.key);
      record({ target: destinationAuditTarget(found) });
    },
  });
}
