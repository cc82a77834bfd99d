/** The parts of the API's answers that the page uses. */

export const STATUSES = ['received', 'delivered', 'failed', 'dead_letter'] as const;
export type Status = (typeof STATUSES)[number];

export interface Sample {
  name: string;
  provider: string;
  description: string;
  signature_header: string;
  test_secret: string;
}

export interface EndpointStats {
  totals: Record<Status, number>;
  /** The last 24 hours, oldest first. */
  hours: { events: number }[];
}

export interface DestinationStats {
  destination_id: string;
  hours: {
    at: string;
    succeeded: number;
    failed: number;
    mean_ms: number | null;
    max_ms: number | null;
  }[];
}
