import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import { HANDSHAKES_WITHOUT_SOURCE } from '../providers/handshakes.ts';
import type { HandshakeRequest } from '../providers/provider.ts';

/** Does what a provider's check of a capture URL asks for, before the check is answered. */
export interface HandshakeEffects {
  /** Returns whether it succeeded. Never rejects. */
  run(publicToken: string, effect: HandshakeEffect, eventId: string): Promise<boolean>;
}

/**
 * Returns the answer to a provider's check of the URL that needs no source; null for other
 * requests.
 */
export function handshakeAnswer(request: HandshakeRequest): HandshakeAnswer | null {
  const found = HANDSHAKES_WITHOUT_SOURCE.find(({ matches }) => matches(request));
  return found?.answer({ ...request, urls: [] }, null)?.answer ?? null;
}
