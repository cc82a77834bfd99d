import type { CaptureResponse } from '../http/capture-response.ts';

/**
 * The verdict on a handshake: a request by which a provider checks the capture URL. Its event is
 * `unverified` and isn't delivered. The provider gets the answer that it expects.
 */
export interface HandshakeVerdict {
  answer: HandshakeAnswer;
  /** What hookrelay does after the commit and before the answer. Null for most providers. */
  effect: HandshakeEffect | null;
  /** True if the sender of the handshake is verified. */
  isVerified: boolean;
}

export interface HandshakeAnswer extends Omit<CaptureResponse, 'headers'> {
  /** Name, value, name, value …, without `content-*`. */
  headers?: readonly string[];
}

/**
 * `confirm`: hookrelay requests a URL to confirm the handshake. `keep_secret`: the handshake brings
 * the secret that signs later requests. A source without a secret keeps it.
 */
export type HandshakeEffect =
  | { kind: 'confirm'; url: string }
  | { kind: 'keep_secret'; secret: string };
