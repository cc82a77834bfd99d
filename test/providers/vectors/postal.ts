import { generateKeyPairSync, sign } from 'node:crypto';
import { BODY } from '../documented.ts';
import type { Vector } from '../vector.ts';

const KEYS = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
const PEMS = KEYS.map(({ publicKey }) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString(),
) as [string, string];
/** The default DKIM record, in which Postal shows the same key. */
const RECORDS = KEYS.map(
  ({ publicKey }) =>
    `v=DKIM1; t=s; h=sha256; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')};`,
) as [string, string];

function vector(
  name: string,
  [secret, otherSecret]: [string, string],
  header: string,
  hash: 'sha1' | 'sha256',
): Vector {
  return {
    ...{ name, secret, otherSecret, header },
    isVerifiedOnly: true,
    body: BODY,
    sign({ body }, by) {
      const { privateKey } = KEYS[by === secret ? 0 : 1] as (typeof KEYS)[number];
      return { headers: [[header, sign(hash, body, privateKey).toString('base64')]] };
    },
  };
}

export default [
  vector('the key as PEM', PEMS, 'X-Postal-Signature-256', 'sha256'),
  vector('the key as a DKIM record', RECORDS, 'X-Postal-Signature-256', 'sha256'),
  vector('a version before 3', RECORDS, 'X-Postal-Signature', 'sha1'),
] satisfies Vector[];
