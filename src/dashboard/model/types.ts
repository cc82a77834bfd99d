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

/** What a rule would have done with past events. */
export interface RuleTrial {
  tried: number;
  matched: number;
  dropped: number;
  /** Events that would fare otherwise than under the destination's present rule. */
  changed: { event_id: string }[];
  /** `error`: a value that an operator can't take. */
  samples: { event_id: string; error?: string }[];
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
