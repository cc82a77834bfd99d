/** A type of event that an endpoint has received. */
export interface EventType {
  /** Null for the events that have no type. */
  type: string | null;
  provider: string | null;
  /** The events that it was learned from. */
  count: number;
  first_at: string;
  last_at: string;
}
