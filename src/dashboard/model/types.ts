/** What the API shows, as far as the page uses it. */

export const STATUSES = ['received', 'delivered', 'failed', 'dead_letter'] as const;
export type Status = (typeof STATUSES)[number];

export interface Endpoint {
  id: string;
  name: string;
  is_active: boolean;
  created_at: string;
  capture_url: string;
  response: { status: number; content_type: string; body: string } | null;
}

export interface Destination {
  id: string;
  url: string;
  secret?: string;
  created_at: string;
}

export interface EventSummary {
  id: string;
  status: Status;
  method: string;
  received_at: string;
  endpoint_id: string;
  path: string;
  content_type: string | null;
  size: number;
  provider: string | null;
  event_type: string | null;
  source_ip: string;
  attempts: number;
}

export interface Delivery {
  id: string;
  destination_url: string;
  trigger: 'capture' | 'replay';
  state: 'pending' | 'succeeded' | 'dead' | 'cancelled';
  attempts: number;
  next_attempt_at: string | null;
}

export interface EventHead extends EventSummary {
  query: string;
  raw_headers: [string, string][];
  deliveries: Delivery[];
  body_encoding: 'json' | 'text' | 'base64' | 'none';
}

export interface Attempt {
  id: string;
  attempt: number;
  response_code: number | null;
  response_body: string | null;
  response_truncated: boolean;
  attempted_at: string;
  duration_ms: number;
  error: { code: string; message: string } | null;
  trigger: 'capture' | 'replay';
  delivery_id: string;
  destination_url: string;
}

/** An attempt as the stream tells of it. */
export interface LiveAttempt extends Attempt {
  event_id: string;
  endpoint_id: string;
  event_status: Status;
}

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
