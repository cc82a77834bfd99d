import { nameOf } from '../../accounts/principal.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Destination } from '../../core/model.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import type { DestinationStore } from '../../store/contract/destinations.ts';
import { changesBetween } from '../audit-note.ts';
import { isoTimeOrNull } from '../iso-time.ts';
import { existing, notFound } from '../not-found.ts';
import { type Route, routesOf } from '../route.ts';
import { warned } from '../warnings-schema.ts';
import { changeDestination } from './change-destination.ts';
import type { SecretRotation } from './destination-answer.ts';
import { destinationAuditTarget } from './destination-audit-target.ts';
import { DESTINATION_CONTROL_CALLS } from './destination-control-calls.ts';
import { DestinationViews } from './destination-view.ts';
import { secretWarnings } from './destination-warnings.ts';
import { newSigningSecret } from './new-signing-secret.ts';
import { requireSignable } from './require-signable.ts';

export interface DestinationControlRoutesOptions {
  destinations: DestinationStore;
  keys: Keys;
  clock: Clock;
  /** Called after a change: deliveries of the destination may go now. */
  onChanged(destinationKey: number): void;
}

/**
 * A person's actions on a destination: probe it, discard its waiting deliveries, rotate its
 * secret.
 */
export function destinationControlRoutes(options: DestinationControlRoutesOptions): Route[] {
  const { destinations, keys, clock, onChanged } = options;
  const views = new DestinationViews(destinations, { keys, now: () => clock.now() });
  const find = async (endpointKey: number, id: string) =>
    existing(await destinations.get(endpointKey, id), 'destination');
  return routesOf(DESTINATION_CONTROL_CALLS, {
    async 'POST /api/endpoints/{id}/destinations/{destinationId}/probe'(context) {
      const { endpoint, params, record } = context;
      const found = await find(endpoint.key, params.destinationId);
      if (found.settings.state !== 'active') throw isHeld(found, endpoint.id);
      const isProbed = await destinations.probe(endpoint.key, found.id, clock.now());
      if (!isProbed) throw notFound('destination');
      onChanged(found.key);
      record({ target: destinationAuditTarget(found) });
      return views.one(endpoint.key, found);
    },
    async 'POST /api/endpoints/{id}/destinations/{destinationId}/discard'(context) {
      const { endpoint, params, record } = context;
      const found = await find(endpoint.key, params.destinationId);
      const cancelled = existing(await destinations.discard(endpoint.key, found.id), 'destination');
      onChanged(found.key);
      record({
        target: destinationAuditTarget(found),
        changes: changesBetween(null, { cancelled }),
      });
      return { cancelled };
    },
    async 'POST /api/endpoints/{id}/destinations/{destinationId}/rotate-secret'({
      endpoint,
      params,
      body,
      principal,
      record,
    }): Promise<SecretRotation> {
      const id = params.destinationId;
      const secret = body.secret ?? newSigningSecret();
      const at = clock.now();
      const until = at + body.overlap;
      const by = { at, by: nameOf(principal) };
      const { before, after } = await changeDestination(
        destinations,
        endpoint.key,
        id,
        by,
        ({ sealedSecret: sealed, settings }) => {
          if (settings.sign_as !== null) requireSignable(endpoint, true, keys);
          return {
            sealedSecret: keys.seal(secret, id),
            previousSecret: sealed && until > at ? { sealed, until } : null,
          };
        },
      );
      onChanged(after.key);
      const [old, now] = [views.settings(before), views.settings(after)];
      const changes = changesBetween(old, now);
      changes.secret = [old.secret ?? null, now.secret];
      record({ target: destinationAuditTarget(after), changes });
      return {
        ...(body.secret === undefined && { secret }),
        previous_expires_at: isoTimeOrNull(after.previousSecret?.until ?? null),
        ...warned(secretWarnings(body.secret)),
      };
    },
  });
}

function isHeld({ id, settings }: Destination, endpointId: string): HookrelayError {
  return new HookrelayError('destination_paused', `the destination is ${settings.state}`, {
    hint: `hookrelay destinations resume ${endpointId} ${id}`,
  });
}
