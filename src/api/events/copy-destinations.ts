import { requireReplayable } from '../../core/flow/require-replayable.ts';
import type { DestinationChoice } from '../../core/http/destination-choice.ts';
import type { Destination, Endpoint } from '../../core/model.ts';
import type { CopyWarning } from './event-answer.ts';

/**
 * Returns which destinations get an edited copy, and a warning for each that doesn't. Without `ids`, these are all except those that
 * sign as the provider: they send only verified events, and nobody signed a copy.
 *
 * Throws `destination_not_found` and `destination_disabled`.
 *
 * @param ids the ids that a person chose
 * @param all the endpoint's destinations
 */
export function copyDestinations(
  ids: readonly string[] | undefined,
  all: readonly Destination[],
  { id }: Pick<Endpoint, 'id'>,
): { chosen: DestinationChoice | undefined; missed: CopyWarning[] } {
  const signing = all.filter(({ settings }) => settings.sign_as !== null);
  if (ids) {
    requireReplayable(ids, all, id);
    const refusing = signing.filter((one) => ids.includes(one.id));
    return { chosen: { only: ids }, missed: refusing.map((one) => warning(one, true)) };
  }
  const left = signing.filter(({ settings }) => settings.state !== 'disabled');
  if (left.length === 0) return { chosen: undefined, missed: [] };
  return {
    chosen: { except: left.map((one) => one.id) },
    missed: left.map((one) => warning(one, false)),
  };
}

function warning({ id, url, settings }: Destination, isChosen: boolean): CopyWarning {
  const does = `${settings.name ?? url} signs as the provider, and a copy isn’t verified`;
  return {
    path: 'destination_ids',
    code: isChosen ? 'not_verified' : 'sign_as_left_out',
    message: isChosen
      ? `${does}: the copy fails there with not_verified`
      : `${does}: it doesn’t get the copy unless it is named`,
    destination_id: id,
  };
}
