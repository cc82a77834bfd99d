import type { HandshakeAnswer, HandshakeEffect } from '../core/proof/handshake.ts';
import { HANDSHAKES_WITHOUT_SOURCE } from '../providers/handshakes.ts';
import type { HandshakeRequest } from '../providers/provider.ts';

/** Does what a provider's check of a capture URL asks for, before it is answered. */
export interface HandshakeEffects {
  /** Returns whether it is done. Never rejects. */
  run(publicToken: string, effect: HandshakeEffect, eventId: string): Promise<boolean>;
}

/**
 * The answer that a provider expects before it sends events, whatever the endpoint's
 * source is; null for an event.
 */
export function handshakeAnswer(request: HandshakeRequest): HandshakeAnswer | null {
  const found = HANDSHAKES_WITHOUT_SOURCE.find(({ matches }) => matches(request));
  return found?.answer({ ...request, urls: [] }, null)?.answer ?? null;
}
