import type { CaptureResponse } from '../core/model.ts';
import { HANDSHAKES } from '../providers/handshakes.ts';
import type { HandshakeRequest } from '../providers/provider.ts';

/** Longest challenge that is echoed. No provider sends a longer one. */
const MAX_CHALLENGE_LENGTH = 1024;

/**
 * The answer that a provider expects before it sends events, or null for an
 * event. Always inert `text/plain`, because the sender chooses the challenge.
 */
export function handshakeAnswer(request: HandshakeRequest): CaptureResponse | null {
  for (const handshake of HANDSHAKES) {
    if (!handshake.matches(request)) continue;
    const challenge = handshake.challenge(request);
    if (challenge === null || challenge.length > MAX_CHALLENGE_LENGTH) return null;
    return { status: 200, content_type: 'text/plain; charset=utf-8', body: challenge };
  }
  return null;
}
