import { createHash } from 'node:crypto';
import { memberAt } from '../member-at.ts';
import { checkHmac, type HmacForm, hmacText } from '../signing/check-hmac.ts';
import { jsonBody } from '../signing/json-body.ts';
import type { Proof } from '../signing/proof.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import { headerOf } from '../signing/signed-request.ts';

export const HEADER = 'X-Webhook-Signature';
const FORM: HmacForm = { algorithm: 'hmac-sha256', encoding: 'base64url' };
const JWT = /^([\w-]{1,1000})\.([\w-]{1,1000})\.([\w-]{1,1000})$/;
const ALGORITHM = 'HS256';
const ISSUER = 'netlify';

/**
 * A JSON Web Token (HS256) with the issuer `netlify`. Its claim `sha256` is the hexadecimal SHA-256
 * of the body.
 *
 * https://docs.netlify.com/deploy/deploy-notifications/#payload-signature
 */
export const netlifyProof: Proof = {
  grade: 'verified',
  secret: "the notification's JWS secret token",
  problem: () => null,
  check(request, secret) {
    const token = headerOf(request, HEADER);
    if (token === null) return 'signature_missing';
    const [, header = '', claims = '', signature = ''] = JWT.exec(token) ?? [];
    if (memberAt(partOf(header), 'alg') !== ALGORITHM) return 'signature_malformed';
    const outcome = checkHmac(FORM, secret, [`${header}.${claims}`], [signature]);
    if (outcome !== null) return outcome;
    const claimed = partOf(claims);
    const isBody = memberAt(claimed, 'sha256') === bodyHash(request.body);
    return isBody && memberAt(claimed, 'iss') === ISSUER ? null : 'signature_mismatch';
  },
};

export const netlifySigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ body }, secret) {
    const signed = [
      { alg: ALGORITHM, typ: 'JWT' },
      { iss: ISSUER, sha256: bodyHash(body) },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = hmacText(FORM, secret, [signed]);
    return [[HEADER, `${signed}.${signature}`]];
  },
};

function partOf(part: string): unknown {
  return jsonBody(Buffer.from(part, 'base64url'));
}

function bodyHash(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
