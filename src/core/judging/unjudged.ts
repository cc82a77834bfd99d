import { CodedNames, type NameOf } from '../coded-names.ts';

/**
 * Why a request's body couldn't be judged. `too_large`: the body has too many values for a thread's
 * time or memory. `too_slow`: the rules need too many steps or too much time on this body.
 */
export const UNJUDGED_REASON = new CodedNames({ too_large: 0, too_slow: 1 });
export type UnjudgedReason = NameOf<typeof UNJUDGED_REASON>;

/** What happens to the deliveries of an event that couldn't be judged. */
export const ON_UNJUDGED = ['deliver', 'hold'] as const;
export type OnUnjudged = (typeof ON_UNJUDGED)[number];
