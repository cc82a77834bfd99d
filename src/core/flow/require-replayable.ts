import { HookrelayError } from '../errors.ts';
import type { Destination } from '../model.ts';

export type Replayable = Pick<Destination, 'id'> & {
  settings: Pick<Destination['settings'], 'state'>;
};

/**
 * Checks the destinations that a replay names. Throws `destination_not_found` for a missing
 * destination, and `destination_disabled` for a disabled one.
 *
 * @param present all destinations of the endpoint
 */
export function requireReplayable(
  ids: readonly string[],
  present: readonly Replayable[],
  endpointId: string,
): void {
  const byId = new Map(present.map((one) => [one.id, one]));
  for (const id of ids) {
    const destination = byId.get(id);
    if (!destination) {
      throw new HookrelayError('destination_not_found', `there is no destination ${id}`, {
        hint: `hookrelay destinations list ${endpointId}`,
      });
    }
    if (destination.settings.state !== 'disabled') continue;
    throw new HookrelayError('destination_disabled', `the destination ${id} is disabled`, {
      hint: `hookrelay destinations resume ${endpointId} ${id}`,
    });
  }
}
