import { hashable, json } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { hmacText, SHA256_BASE64 } from '../signing/check-hmac.ts';

/**
 * A GET with `crc_token`, unsigned. It comes when the URL is registered, and then every hour. The
 * answer has the same form as X's signature of a body. So the proof rejects a body that could be
 * such a token.
 *
 * https://docs.x.com/x-api/webhooks/quickstart#2-the-crc-check
 */
export const xHandshake: Handshake = {
  method: 'GET',
  matches: ({ query }) => query.includes('crc_token='),
  answer({ query }, secret) {
    const token = hashable(new URLSearchParams(query).get('crc_token'));
    if (token === null || secret === null) return null;
    const hash = hmacText(SHA256_BASE64, secret, [token]);
    return json({ response_token: `sha256=${hash}` });
  },
  purpose: 'X checks that this URL belongs to the app’s owner (CRC). It does so every hour.',
};
