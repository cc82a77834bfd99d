import type { Destination } from '../../core/model.ts';
import type {
  ChangeStamp,
  DestinationPatch,
  DestinationStore,
} from '../../store/contract/destinations.ts';
import { changeNewest } from '../change-newest.ts';

/** Also throws the errors of `patchOf`. */
export function changeDestination(
  destinations: Pick<DestinationStore, 'get' | 'update'>,
  endpointKey: number,
  id: string,
  by: Pick<ChangeStamp, 'at' | 'by'>,
  patchOf: (before: Destination) => DestinationPatch,
): Promise<{ before: Destination; after: Destination }> {
  return changeNewest(
    'destination',
    () => destinations.get(endpointKey, id),
    (before) => {
      const change = { ...by, version: before.version };
      return destinations.update(endpointKey, id, patchOf(before), change);
    },
  );
}
