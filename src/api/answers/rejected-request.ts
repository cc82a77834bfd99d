import type { Verification } from '../../core/proof/verification.ts';
import type { EventHead, VerificationFailure } from './event.ts';

/** A request that an enforced source refused. */
export interface RejectedRequest {
  id: string;
  method: string;
  received_at: string;
  path: string;
  content_type: string | null;
  /** Size of the body, bytes. */
  size: number;
  provider: string | null;
  event_type: string | null;
  source_ip: string;
  verification: Verification;
}

/** The same without its body. */
export interface RejectedHead extends RejectedRequest {
  verification_failure: VerificationFailure | null;
  query: string;
  raw_headers: [name: string, value: string][];
  /** Encoding of `body`. */
  body_encoding: EventHead['body_encoding'];
}
