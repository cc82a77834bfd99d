import { HookrelayError } from '../../core/errors.ts';
import type { Destination } from '../../core/model.ts';
import type {
  ChangeStamp,
  DestinationPatch,
  DestinationStore,
} from '../../store/contract/destinations.ts';

/** Times that others may change the destination between its read and its change. */
const MOST_TRIES = 20;

export interface DestinationChanged {
  before: Destination;
  after: Destination;
}

/**
 * Changes a destination by what it is now. When somebody changes it at the same time, the
 * patch is made again from the newer destination, so that neither change is lost.
 *
 * Throws `destination_not_found` and `overloaded`, and what `patchOf` throws.
 */
export async function changeDestination(
  destinations: Pick<DestinationStore, 'get' | 'update'>,
  endpointKey: number,
  id: string,
  by: Pick<ChangeStamp, 'at' | 'by'>,
  patchOf: (before: Destination) => DestinationPatch,
): Promise<DestinationChanged> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = await destinations.get(endpointKey, id);
    if (!before) throw noDestination();
    const change = { ...by, version: before.version };
    const after = await destinations.update(endpointKey, id, patchOf(before), change);
    if (after === null) throw noDestination();
    if (after !== 'changed') return { before, after };
  }
  throw new HookrelayError('overloaded', 'others change this destination all the time', {
    hint: 'send the change again',
    retryAfterS: 1,
  });
}

export function noDestination(): HookrelayError {
  return new HookrelayError('destination_not_found', 'there is no such destination');
}
