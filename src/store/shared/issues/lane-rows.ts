import type { WaitingDestination } from '../../contract/issues.ts';
import { controlOf } from '../destinations/claimed-destination.ts';

/** A destination with waiting deliveries, as both stores read it. */
export interface WaitingDestinationRow {
  key: number;
  endpoint_key: number;
  user_id: string;
  /** JSON. */
  settings: string;
  /** JSON. */
  flow: string | null;
  retention_ms: number | null;
  /** The event of the delivery that has waited longest. */
  event_id: string;
  received_at: number;
  /**
   * The oldest due time, Unix ms, without deliveries that wait for an earlier delivery or a person.
   * Null if there is no such delivery.
   */
  oldest_due_at: number | null;
}

export function laneOf(row: WaitingDestinationRow): WaitingDestination {
  const { settings, flow } = controlOf(row);
  return {
    destinationKey: row.key,
    endpointKey: row.endpoint_key,
    userId: row.user_id,
    state: settings.state,
    isBreakerOpen: flow.breaker !== null,
    oldestDueAt: row.oldest_due_at ?? row.received_at,
    oldest: { eventId: row.event_id, receivedAt: row.received_at },
    retentionMs: row.retention_ms,
  };
}
