import * as v from 'valibot';
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
import type { EndpointStore } from '../../store/contract/endpoints.ts';
import { type Route, route } from '../route.ts';
import { destinationView, isoTimeSchema } from '../views.ts';

const createSchema = v.object({
  url: v.string('must be a string'),
  secret: v.optional(
    v.nullable(
      v.pipe(
        v.string('must be a string'),
        v.minBytes(1, 'must not be empty'),
        v.maxBytes(256, 'must be at most 256 bytes'),
        v.check(isSigningSecret, SIGNING_SECRETS),
        v.metadata({
          description: `Signs the deliveries: 1 to 256 bytes as UTF-8; ${SIGNING_SECRETS}.`,
          minLength: 1,
          maxLength: 256,
          pattern: SIGNING_SECRET_PATTERN,
        }),
      ),
    ),
  ),
});

const removeSchema = v.object({
  pending: v.optional(v.picklist(['keep', 'cancel'], 'must be keep or cancel')),
});

const destinationSchema = v.object({
  id: v.string(),
  url: v.string(),
  secret: v.optional(v.string()),
  created_at: isoTimeSchema,
});

export interface DestinationRoutesOptions {
  endpoints: EndpointStore;
  keys: Keys;
  clock: Clock;
  /** Destinations of an endpoint. */
  most: number;
  /** Throws `invalid_input` for a URL that must not be delivered to. */
  checkUrl(url: string): Promise<URL>;
}

export function destinationRoutes({
  endpoints,
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
  return [
    route({
      method: 'GET',
      path: '/api/endpoints/{id}/destinations',
      summary: 'List an endpoint’s destinations, newest first',
      tag,
      access: 'endpoint',
      status: 200,
      response: v.array(destinationSchema),
      handle: async ({ endpoint }) => (await endpoints.listDestinations(endpoint.key)).map(view),
    }),
    route({
      method: 'POST',
      path: '/api/endpoints/{id}/destinations',
      summary: 'Add a destination; it gets the events captured from now on',
      tag,
      access: 'endpoint',
      body: createSchema,
      status: 201,
      response: destinationSchema,
      async handle({ endpoint, body }) {
        const url = await checkUrl(body.url);
        const now = clock.now();
        const id = newId('dst', now);
        const sealedSecret = body.secret ? keys.seal(body.secret, id) : null;
        const destination = await endpoints.addDestination(
          endpoint.key,
          { id, url: url.href, sealedSecret, createdAt: now },
          most,
        );
        if (!destination) {
          throw new HookrelayError('endpoint_not_found', 'there is no such endpoint');
        }
        return view(destination);
      },
    }),
    route({
      method: 'DELETE',
      path: '/api/endpoints/{id}/destinations/{destinationId}',
      summary: 'Remove a destination; deliveries it already has run to their end, or are cancelled',
      tag,
      access: 'endpoint',
      query: removeSchema,
      status: 204,
      async handle({ endpoint, params, query }) {
        const removed = await endpoints.removeDestination(
          endpoint.key,
          params.destinationId as string,
          clock.now(),
          query.pending === 'cancel',
        );
        if (!removed) {
          throw new HookrelayError('destination_not_found', 'there is no such destination');
        }
      },
    }),
  ];
}
