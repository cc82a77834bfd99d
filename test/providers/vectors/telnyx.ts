import { generateKeyPairSync, sign } from 'node:crypto';
import { TelnyxWebhook } from 'telnyx/lib/webhooks';
import { asObject, BODY, isAccepted, seconds } from '../documented.ts';
import type { Vector } from '../vector.ts';

const KEYS = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const;
const [PUBLIC, OTHER_PUBLIC] = KEYS.map(({ publicKey }) => {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}) as [string, string];

export default [
  {
    secret: PUBLIC,
    otherSecret: OTHER_PUBLIC,
    header: 'Telnyx-Signature-Ed25519',
    isVerifiedOnly: true,
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => {
      const { privateKey } = KEYS[secret === PUBLIC ? 0 : 1];
      const signed = Buffer.concat([Buffer.from(`${seconds(at)}|`), body]);
      return {
        headers: [
          ['Telnyx-Timestamp', seconds(at)],
          ['Telnyx-Signature-Ed25519', sign(null, signed, privateKey).toString('base64')],
        ],
      };
    },
    accepts: ({ headers, body }, secret) =>
      isAccepted(() => new TelnyxWebhook(secret).verify(body.toString(), asObject(headers))),
  },
] satisfies Vector[];
