/** The largest number of event types of an endpoint. Events of further types are ignored. */
export const MOST_TYPES = 500;
