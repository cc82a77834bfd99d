import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import { HANDSHAKES_WITHOUT_SOURCE } from '../providers/handshakes.ts';
import type { HandshakeRequest } from '../providers/provider.ts';

export interface HandshakeEffects {
  /** Does what a handshake asks for. Returns whether that succeeded. Never rejects. */
  run(publicToken: string, effect: HandshakeEffect, eventId: string): Promise<boolean>;
}

/** Returns the answer to a handshake that needs no source; null for an ordinary request. */
export function handshakeAnswer(request: HandshakeRequest): HandshakeAnswer | null {
  const found = HANDSHAKES_WITHOUT_SOURCE.find(({ matches }) => matches(request));
  return found?.answer({ ...request, urls: [] }, null)?.answer ?? null;
}
