import type { Provider } from '../provider.ts';
import { checkHmac, SHA256_BASE64 } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import { headersOf } from '../signing/signed-request.ts';

/**
 * `X-Gitee-Token` has the webhook's password, or an HMAC of the time and the secret. Neither covers
 * the body. Gitee's documentation names no largest age.
 *
 * https://help.gitee.com/webhook/how-to-verify-webhook-keys
 */
const PROOF: Proof = {
  grade: 'authenticated',
  secret: "the webhook's password or signing key",
  problem: () => null,
  check(request, secret) {
    const [token, ...others] = headersOf(request, 'X-Gitee-Token');
    if (token === undefined) return 'signature_missing';
    if (others.length > 0) return 'signature_malformed';
    if (isSameText(token, secret)) return null;
    const [time, ...otherTimes] = headersOf(request, 'X-Gitee-Timestamp');
    if (otherTimes.length > 0) return 'signature_malformed';
    if (time === undefined) return 'signature_mismatch';
    // The documentation encodes the signature for a URL.
    const sent = token.replaceAll(/%2B|%2F|%3D/gi, decodeURIComponent);
    return checkHmac(SHA256_BASE64, secret, [`${time}\n${secret}`], [sent]);
  },
};

export const gitee = {
  name: 'gitee',
  title: 'Gitee',
  marks: [{ header: 'x-gitee-event', isType: true, rank: 3 }],
  proof: PROOF,
} satisfies Provider;
