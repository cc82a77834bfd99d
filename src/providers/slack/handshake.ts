import type { Handshake } from '../provider.ts';

/** The type of Slack's verification request. */
export const URL_VERIFICATION = 'url_verification';
/** A verification request is small. Larger bodies aren't searched for one. */
const MAX_BODY_BYTES = 4096;

/**
 * POST `{"type": "url_verification", "challenge": …}`
 * (https://docs.slack.dev/reference/events/url_verification).
 */
export const slackHandshake: Handshake = {
  matches: ({ method, body }) =>
    method === 'POST' && body.length <= MAX_BODY_BYTES && body.includes(URL_VERIFICATION),
  challenge({ body }) {
    try {
      const value: unknown = JSON.parse(body.toString('utf8'));
      if (typeof value !== 'object' || value === null) return null;
      const { type, challenge } = value as Record<string, unknown>;
      return type === URL_VERIFICATION && typeof challenge === 'string' ? challenge : null;
    } catch {
      return null;
    }
  },
};
