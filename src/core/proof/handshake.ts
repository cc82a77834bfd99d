import type { CaptureResponse } from '../http/capture-response.ts';

/**
 * The verdict on a provider's check of the capture URL. Its event is `unverified` and isn't
 * delivered. The provider gets the answer that it wants.
 */
export interface HandshakeVerdict {
  answer: HandshakeAnswer;
  /** What hookrelay does between the commit and the answer; null for most providers. */
  effect: HandshakeEffect | null;
  /** The sender of the check is verified. */
  isVerified: boolean;
}

export interface HandshakeAnswer extends Omit<CaptureResponse, 'headers'> {
  /** Name, value, name, value …, without `content-*`. */
  headers?: readonly string[];
}

/**
 * `confirm`: hookrelay requests a URL, which shows the provider that its check arrived.
 * `keep_secret`: the check brings the secret that signs all later requests. A source without a
 * secret keeps it.
 */
export type HandshakeEffect =
  | { kind: 'confirm'; url: string }
  | { kind: 'keep_secret'; secret: string };
