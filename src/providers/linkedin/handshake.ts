import { json } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { hmacText, SHA256_HEX } from '../signing/check-hmac.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A GET with `challengeCode`, a UUID. It comes when the webhook is registered. Signing the UUID for
 * anybody is safe, because LinkedIn's signed texts begin with `hmacsha256=`.
 *
 * https://learn.microsoft.com/linkedin/shared/api-guide/webhook-validation
 */
export const linkedinHandshake: Handshake = {
  method: 'GET',
  matches: ({ query }) => query.includes('challengeCode='),
  answer({ query }, secret) {
    const challengeCode = new URLSearchParams(query).get('challengeCode') ?? '';
    if (!UUID.test(challengeCode) || secret === null) return null;
    const challengeResponse = hmacText(SHA256_HEX, secret, [challengeCode]);
    return json({ challengeCode, challengeResponse });
  },
  purpose: 'LinkedIn checks that this URL belongs to the app’s owner.',
};
