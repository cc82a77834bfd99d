import { CodedNames, type NameOf } from '../coded-names.ts';

/**
 * Why a request's body couldn't be judged. `too_large`: it has more values than a thread has time
 * or memory for. `too_slow`: the rules take too many steps or too much time on this body.
 */
export const UNJUDGED_REASON = new CodedNames({ too_large: 0, too_slow: 1 });
export type UnjudgedReason = NameOf<typeof UNJUDGED_REASON>;

/** What happens to the deliveries of an event that couldn't be judged. */
export const ON_UNJUDGED = ['deliver', 'hold'] as const;
export type OnUnjudged = (typeof ON_UNJUDGED)[number];
