import type { CallBody } from '../../../api/client/typed-call.ts';
import { counted } from '../../../core/text/words.ts';

/** The target of a replay. */
export type ReplayChoice =
  | { to: 'all' }
  | { to: 'destinations'; ids: string[] }
  | { to: 'url'; url: string };

/** Returns the target in the form of a replay's request. */
export function bodyOf(
  target: ReplayChoice,
): CallBody<'POST /api/endpoints/{id}/events/{eventId}/replay'> {
  if (target.to === 'destinations') return { destination_ids: target.ids };
  return target.to === 'url' ? { url: target.url.trim() } : {};
}

/** Returns whether the user must still choose a target. */
export function isOpen(target: ReplayChoice): boolean {
  if (target.to === 'destinations') return target.ids.length === 0;
  return target.to === 'url' && target.url.trim() === '';
}

/** Returns what a replay of one event did. */
export function doneText(target: ReplayChoice, deliveries: number): string {
  if (target.to === 'url') return 'Replayed to the URL';
  return deliveries === 0
    ? 'There is no destination to replay to'
    : `Replayed to ${counted(deliveries, 'destination')}`;
}
