/** The comment that a stream sends after all that a new connection had missed. */
export const CAUGHT_UP = 'caught up';
