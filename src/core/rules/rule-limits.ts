/* Limits of one rule, so that judging an event takes bounded time and stack. */

export const MAX_CONDITIONS = 500;
export const MAX_DEPTH = 32;
/** Most steps of a path. Each is a level of the filter. */
export const MAX_STEPS = 32;
