import { accepted } from '../handshaking/answers.ts';
import { broughtSecret, keeping } from '../handshaking/brought-secret.ts';
import type { Handshake } from '../provider.ts';
import { jsonObject } from '../signing/json-body.ts';

const MEMBER = 'verification_token';
/** The largest body of a check, bytes. */
const MAX_BODY_BYTES = 4096;

/**
 * A POST of `{"verification_token": …}`. It is unsigned and comes once. The token is the key of all
 * later signatures. A person must paste it into Notion, so the stored body keeps it.
 *
 * https://developers.notion.com/reference/webhooks#step-2-verifying-the-subscription
 */
export const notionHandshake: Handshake = {
  method: 'POST',
  matches: ({ body }) => body.length <= MAX_BODY_BYTES && body.includes(MEMBER),
  bringsSecret: { header: null },
  answer({ body }) {
    const token = broughtSecret(jsonObject(body)?.[MEMBER]);
    return token === null ? null : keeping(token, accepted());
  },
  purpose:
    'Notion checks this URL. Paste the verification_token of the body into Notion, then delete this event: the token signs all later ones.',
};
