import { createHash } from 'node:crypto';
import { hashable, json } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';

/** The verification token. A person chooses it at eBay for the app's notifications. */
export const VERIFICATION_TOKEN = /^[A-Za-z\d_-]{32,80}$/;
/** The parameter that the check adds at the end of the registered URL. */
const CHALLENGE = /[?&]challenge_code=[^&]*$/;

/**
 * A GET with `challenge_code`. The answer is a SHA-256 of the code, the verification token and the
 * registered URL. The answer can't be used as the signature of an event, because eBay signs events
 * with a key.
 *
 * https://developer.ebay.com/marketplace-account-deletion
 */
export const ebayHandshake: Handshake = {
  method: 'GET',
  matches: ({ query }) => query.includes('challenge_code='),
  hashesUrl: true,
  answer({ query, urls }, secret) {
    const code = hashable(new URLSearchParams(query).get('challenge_code'));
    const [url] = urls;
    const isToken = secret !== null && VERIFICATION_TOKEN.test(secret);
    if (code === null || !isToken || url === undefined) return null;
    const registered = url.replace(CHALLENGE, '');
    const hash = createHash('sha256').update(code + secret + registered);
    return json({ challengeResponse: hash.digest('hex') });
  },
  purpose: 'eBay checks that this URL is yours before it sends notifications.',
};
