import { accepted } from '../handshaking/answers.ts';
import { broughtSecret, keeping } from '../handshaking/brought-secret.ts';
import type { Handshake } from '../provider.ts';
import { headerOf } from '../signing/signed-request.ts';

const HEADER = 'x-hook-secret';

/**
 * A POST with `X-Hook-Secret`. Asana expects the same header in the answer. Its value is the key of
 * all later signatures.
 *
 * https://developers.asana.com/docs/webhooks-guide#the-webhook-handshake
 */
export const asanaHandshake: Handshake = {
  method: 'POST',
  header: HEADER,
  bringsSecret: { header: HEADER },
  answer(request) {
    const secret = broughtSecret(headerOf(request, HEADER));
    return secret === null ? null : keeping(secret, accepted([HEADER, secret]));
  },
  purpose: 'Asana checks this URL and brings the secret that signs its events.',
};
