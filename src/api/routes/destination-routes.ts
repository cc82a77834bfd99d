import * as v from 'valibot';
import { nameOf } from '../../accounts/principal.ts';
import type { AuditTarget } from '../../core/audit.ts';
import { HookrelayError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Destination } from '../../core/model.ts';
import type { Clock } from '../../core/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import {
  isSigningSecret,
  SIGNING_SECRET_PATTERN,
  SIGNING_SECRETS,
} from '../../core/secrets/signature.ts';
import {
  type DestinationSettings,
  destinationSettingsSchema,
} from '../../core/settings/destination-settings.ts';
import { strictObject } from '../../core/settings/strict-object.ts';
import type { DestinationPatch, DestinationStore } from '../../store/contract/destinations.ts';
import type * as api from '../api-types.ts';
import { changesBetween } from '../audit-note.ts';
import { isMasked, NOT_MASKED } from '../masked-secret.ts';
import { type Route, route } from '../route.ts';
import { destinationView, isoTimeSchema } from '../views.ts';

const url = v.string('must be a string');

const secret = (pattern: string) =>
  v.pipe(
    v.string('must be a string'),
    v.minBytes(1, 'must not be empty'),
    v.maxBytes(256, 'must be at most 256 bytes'),
    v.check(isSigningSecret, SIGNING_SECRETS),
    v.metadata({
      description: `Signs the deliveries: 1 to 256 bytes as UTF-8; ${SIGNING_SECRETS}.`,
      minLength: 1,
      maxLength: 256,
      pattern,
    }),
  );

/** Unknown members are left alone: the first contract doesn't refuse them. */
const createSchema = v.object({
  url,
  secret: v.optional(v.nullable(secret(SIGNING_SECRET_PATTERN))),
  ...destinationSettingsSchema.entries,
});

const patchSchema = strictObject({
  url: v.optional(url),
  secret: v.optional(
    v.nullable(
      v.pipe(
        secret(`${NOT_MASKED}(?:${SIGNING_SECRET_PATTERN})`),
        v.check((text) => !isMasked(text), 'is masked; leave it out to keep the secret'),
      ),
    ),
  ),
  ...v.partial(destinationSettingsSchema).entries,
});

const removeSchema = v.object({
  pending: v.optional(v.picklist(['keep', 'cancel'], 'must be keep or cancel')),
});

const destinationSchema = v.object({
  id: v.string(),
  url: v.string(),
  secret: v.optional(v.string()),
  ...destinationSettingsSchema.entries,
  filter: v.nullable(v.union([v.string(), v.looseObject({})])),
  created_at: isoTimeSchema,
});

export interface DestinationRoutesOptions {
  destinations: DestinationStore;
  keys: Keys;
  clock: Clock;
  /** Destinations of an endpoint. */
  most: number;
  /** Throws `invalid_input` for a URL that must not be delivered to. */
  checkUrl(url: string): Promise<URL>;
}

export function destinationRoutes({
  destinations,
  keys,
  clock,
  most,
  checkUrl,
}: DestinationRoutesOptions): Route[] {
  const tag = 'destinations';
  const view = (destination: Destination) =>
    destinationView(
      destination,
      destination.sealedSecret && keys.open(destination.sealedSecret, destination.id),
    );
  const gone = () => new HookrelayError('destination_not_found', 'there is no such destination');
  return [
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/destinations',
      summary: 'List an endpoint’s destinations, newest first',
      tag,
      access: 'endpoint',
      scope: 'read',
      status: 200,
      response: v.array(destinationSchema),
      handle: async ({ endpoint }) => (await destinations.list(endpoint.key)).map(view),
    }),
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/destinations',
      summary: 'Add a destination; it gets the events captured from now on',
      tag,
      access: 'endpoint',
      scope: 'write',
      audit: 'destination.create',
      body: createSchema,
      status: 201,
      response: destinationSchema,
      async handle({ endpoint, body, record, principal }) {
        const { url, secret, ...settings } = body;
        const { href } = await checkUrl(url);
        const now = clock.now();
        const id = newId('dst', now);
        const sealedSecret = secret ? keys.seal(secret, id) : null;
        const destination = await destinations.add(
          endpoint.key,
          {
            id,
            url: href,
            sealedSecret,
            sealedHeaders: null,
            settings,
            createdAt: now,
            createdBy: nameOf(principal),
          },
          most,
        );
        if (!destination) {
          throw new HookrelayError('endpoint_not_found', 'there is no such endpoint');
        }
        record({
          target: targetOf(destination),
          changes: changesBetween(null, changeable(view(destination))),
        });
        return view(destination);
      },
    }),
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/destinations/{destinationId}',
      summary: 'Get a destination',
      tag,
      access: 'endpoint',
      scope: 'read',
      status: 200,
      response: destinationSchema,
      async handle({ endpoint, params }) {
        const found = await destinations.get(endpoint.key, params.destinationId as string);
        if (!found) throw gone();
        return view(found);
      },
    }),
    route({
      method: 'PATCH',
      path: '/api/endpoints/{id}/destinations/{destinationId}',
      summary:
        'Change a destination; attempts after the answer use the new URL and secret, captures the new filter',
      tag,
      access: 'endpoint',
      scope: 'write',
      audit: 'destination.update',
      body: patchSchema,
      status: 200,
      response: destinationSchema,
      async handle({ endpoint, params, body, record, principal }) {
        const id = params.destinationId as string;
        const { url, secret, ...settings } = body;
        const patch: DestinationPatch = {
          ...(url !== undefined && { url: (await checkUrl(url)).href }),
          ...(secret !== undefined && {
            sealedSecret: secret === null ? null : keys.seal(secret, id),
          }),
          // JSON has no undefined: a member is there with a value, or not at all.
          settings: settings as Partial<DestinationSettings>,
        };
        const before = await destinations.get(endpoint.key, id);
        const change = { at: clock.now(), by: nameOf(principal) };
        const updated = before && (await destinations.update(endpoint.key, id, patch, change));
        if (!updated || updated === 'changed') throw gone();
        const [old, now] = [changeable(view(before)), changeable(view(updated))];
        const changes = changesBetween(old, now);
        // Two secrets may have the same mask.
        if (secret != null) changes.secret = [old.secret ?? null, now.secret];
        record({ target: targetOf(updated), changes });
        return view(updated);
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/endpoints/{id}/destinations/{destinationId}',
      summary: 'Remove a destination; deliveries it already has run to their end, or are cancelled',
      tag,
      access: 'endpoint',
      scope: 'write',
      audit: 'destination.delete',
      query: removeSchema,
      status: 204,
      async handle({ endpoint, params, query, record }) {
        const id = params.destinationId as string;
        const found = await destinations.get(endpoint.key, id);
        const cancel = query.pending === 'cancel';
        const removed = await destinations.remove(endpoint.key, id, clock.now(), cancel);
        if (!found || !removed) throw gone();
        record({ target: targetOf(found) });
      },
    }),
  ];
}

function targetOf({ id, url, settings }: Destination): AuditTarget {
  return { type: 'destination', id, name: settings.name ?? url };
}

/** The members of an answer that a person sets, for the audit. */
function changeable({ id: _, created_at: __, ...rest }: api.Destination) {
  return rest;
}
