import type { Proof } from '../signing/proof.ts';
import { isSameText } from '../signing/same-text.ts';
import { headersOf } from '../signing/signed-request.ts';

/** HTTP Basic (RFC 7617). The secret is `user:password`. */
export const basicProof: Proof = {
  grade: 'authenticated',
  secret: 'user and password, with a colon between them',
  // Anybody can send an empty user and an empty password.
  problem: (secret) =>
    secret.includes(':') && secret !== ':' ? null : 'must be the user, a colon and the password',
  check(request, secret) {
    const given = headersOf(request, 'authorization')
      .map((value) => /^basic +([A-Za-z\d+/]+=*)$/i.exec(value.trim())?.[1])
      .filter((value) => value !== undefined);
    if (given.length === 0) return 'signature_missing';
    const expected = withoutPadding(Buffer.from(secret).toString('base64'));
    const fits = given.some((value) => isSameText(withoutPadding(value), expected));
    return fits ? null : 'signature_mismatch';
  },
};

function withoutPadding(base64: string): string {
  return base64.replace(/=+$/, '');
}
