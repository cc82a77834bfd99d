/**
 * Which of an endpoint's destinations get an event. `only`: these, whatever their filters say.
 * `except`: all others, by their filters.
 */
export type DestinationChoice = { only: readonly string[] } | { except: readonly string[] };
