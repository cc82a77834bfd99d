/** The comment in a stream after all events that a new connection had missed. */
export const CAUGHT_UP = 'caught up';
