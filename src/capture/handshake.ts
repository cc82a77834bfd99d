import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import { handshakeWithoutSource } from '../providers/handshakes.ts';
import type { HandshakeRequest } from '../providers/provider.ts';

export interface HandshakeEffects {
  /** Does what a handshake asks for. Returns whether that succeeded. Never rejects. */
  run(publicToken: string, effect: HandshakeEffect, eventId: string): Promise<boolean>;
}

/**
 * Returns the answer to a handshake that needs no source; null for an ordinary request.
 *
 * @param hasHandshakeHeader `recognise` has found the header of a handshake
 */
export function handshakeAnswer(
  request: HandshakeRequest,
  hasHandshakeHeader: boolean,
): HandshakeAnswer | null {
  const found = handshakeWithoutSource(request, hasHandshakeHeader);
  return found?.answer({ ...request, urls: [] }, null)?.answer ?? null;
}
