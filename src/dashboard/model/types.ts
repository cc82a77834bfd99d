/** What the API shows, as far as the page uses it. */

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
  /** Of the last 24 h, oldest first. */
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
