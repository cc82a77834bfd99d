/** The comment that a stream sends once a new connection has everything that it had missed. */
export const CAUGHT_UP = 'caught up';
