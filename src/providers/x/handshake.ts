import { hashable, json } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { hmacText, SHA256_BASE64 } from '../signing/check-hmac.ts';

/**
 * GET with `crc_token`, unsigned, when the URL is registered and every hour. The answer has the
 * form of X's signature of a body, so the proof takes no body that is such a token.
 *
 * https://docs.x.com/x-api/webhooks/quickstart#2-the-crc-check
 */
export const xHandshake: Handshake = {
  matches: ({ method, query }) => method === 'GET' && query.includes('crc_token='),
  answer({ query }, secret) {
    const token = hashable(new URLSearchParams(query).get('crc_token'));
    if (token === null || secret === null) return null;
    const hash = hmacText(SHA256_BASE64, secret, [token]);
    return json({ response_token: `sha256=${hash}` });
  },
  purpose: 'X checks that this URL belongs to the app’s owner (CRC). It does so every hour.',
};
