/** The comment that a stream sends once a new connection has what it missed. */
export const CAUGHT_UP = 'caught up';
