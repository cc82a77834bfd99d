import type { EventStatus } from '../../core/model.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { Delivery, Unjudged } from './delivery.ts';

/** An event in lists (with `view=summary`) and streams. */
export interface EventSummary {
  id: string;
  status: EventStatus;
  method: string;
  /** ISO 8601 in UTC, like all times of answers. */
  received_at: string;
  endpoint_id: string;
  path: string;
  content_type: string | null;
  /** Size of the body, bytes. */
  size: number;
  provider: string | null;
  event_type: string | null;
  source_ip: string;
  /** Attempts made since the latest replay to all destinations. */
  attempts: number;
  /** Code of the first attempt that got an answer. */
  response_code: number | null;
  /** Time from the event's receipt to its first success. */
  latency_ms: number | null;
  /** Attempts beyond the first of the delivery that took most. */
  retries: number;
  /** Id of the event that this is an edited copy of. */
  edited_from: string | null;
  /** What the endpoint's source says of the sender. */
  verification: Verification;
  /** Id of the event that this repeats; null for any other one. */
  duplicate_of: string | null;
  /** Whether a duplicate's body differs from that event's; null for any other event. */
  duplicate_conflict: boolean | null;
  /** Why a filter or a key couldn't be judged by its body; null where all were. */
  unjudged: Unjudged | null;
}

/** An event without its body. */
export interface EventHead extends EventSummary {
  /** Why the verification failed; null for an event that didn't fail. */
  verification_failure: VerificationFailure | null;
  query: string;
  raw_headers: [name: string, value: string][];
  deliveries: Delivery[];
  /** Encoding of `body`. */
  body_encoding: 'json' | 'text' | 'base64' | 'none';
}

/** Why a request isn't verified, in words. */
export interface VerificationFailure {
  message: string;
  hint: string;
}

/** Headers that prove a verified event to a receiver with its provider's library. */
export interface SignedHeaders {
  provider: string;
  /** Values by name, as the provider spells it. They replace the event's own. */
  headers: Record<string, string>;
}
