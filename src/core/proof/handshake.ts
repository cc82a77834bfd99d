import type { CaptureResponse } from '../http/capture-response.ts';

/**
 * A provider's check of the capture URL, as its source's endpoint judges it: the event is
 * stored as `unverified`, is not delivered, and gets the answer that the provider wants.
 */
export interface HandshakeVerdict {
  answer: HandshakeAnswer;
  /** What must be done between the commit and the answer; null for most. */
  effect: HandshakeEffect | null;
  /** Whether its sender is verified. */
  isVerified: boolean;
}

export interface HandshakeAnswer extends Omit<CaptureResponse, 'headers'> {
  /** Name, value, name, value …, besides the content's. */
  headers?: readonly string[];
}

/**
 * `confirm`: asks for a URL, by which the provider learns that its check came here.
 * `keep_secret`: the request brings the secret that signs all later ones. It is kept where
 * the source has none.
 */
export type HandshakeEffect =
  | { kind: 'confirm'; url: string }
  | { kind: 'keep_secret'; secret: string };
