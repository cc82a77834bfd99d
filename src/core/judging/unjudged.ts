/**
 * Why a request's body couldn't be judged: it has more values than a thread reads or has
 * memory for, or rules and body together take too many steps or too much time.
 */
export const UNJUDGED_REASONS = ['too_large', 'too_slow'] as const;
export type UnjudgedReason = (typeof UNJUDGED_REASONS)[number];

/** What becomes of the deliveries of an event that couldn't be judged. */
export const ON_UNJUDGED = ['deliver', 'hold'] as const;
export type OnUnjudged = (typeof ON_UNJUDGED)[number];
