import type { CaptureResponse } from '../core/model.ts';

/** Longer challenges aren't anybody's: nothing is echoed. */
const MAX_CHALLENGE_LENGTH = 1024;
/** A verification request is small; larger bodies aren't searched for one. */
const MAX_HANDSHAKE_BYTES = 4096;
const SLACK_MARK = 'url_verification';

export interface HandshakeRequest {
  method: string;
  /** Raw, without the `?`. */
  query: string;
  body: Buffer;
}

/**
 * The answer that a sender wants before it sends events at all, or null for an
 * ordinary request. Always inert `text/plain`: the challenge is the sender's.
 *
 * - Slack: POST `{"type": "url_verification", "challenge": …}`
 *   (https://docs.slack.dev/reference/events/url_verification)
 * - Meta: GET `hub.mode=subscribe&hub.challenge=…`
 *   (https://developers.facebook.com/docs/graph-api/webhooks/getting-started)
 * - Microsoft Graph: `validationToken=…`
 *   (https://learn.microsoft.com/graph/change-notifications-delivery-webhooks)
 */
export function handshakeAnswer(request: HandshakeRequest): CaptureResponse | null {
  const challenge = challengeOf(request);
  if (challenge === null || challenge.length > MAX_CHALLENGE_LENGTH) return null;
  return { status: 200, content_type: 'text/plain; charset=utf-8', body: challenge };
}

function challengeOf({ method, query, body }: HandshakeRequest): string | null {
  if (query.includes('validationToken=')) {
    return new URLSearchParams(query).get('validationToken');
  }
  if (method === 'GET' && query.includes('hub.challenge=')) {
    const params = new URLSearchParams(query);
    return params.get('hub.mode') === 'subscribe' ? params.get('hub.challenge') : null;
  }
  if (method === 'POST' && body.length <= MAX_HANDSHAKE_BYTES && body.includes(SLACK_MARK)) {
    return slackChallenge(body);
  }
  return null;
}

function slackChallenge(body: Buffer): string | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const { type, challenge } = value as Record<string, unknown>;
    return type === SLACK_MARK && typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
