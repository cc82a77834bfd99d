/** Most rejected requests of an endpoint that are kept: the newest. */
export const MOST_REJECTED = 1000;
/** Most bytes of their bodies, of an endpoint. */
export const MOST_REJECTED_BYTES = 64 * 1024 * 1024;
/** Most rejected requests of an endpoint that are stored in any second. The others leave no trace. */
export const MOST_REJECTED_PER_S = 20;
