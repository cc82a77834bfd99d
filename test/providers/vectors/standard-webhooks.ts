import { generateKeyPairSync, sign } from 'node:crypto';
import { BODY, seconds, standardVector } from '../documented.ts';
import type { Published, Vector } from '../vector.ts';

const KEYS = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')] as const;
const [PUBLIC, OTHER_PUBLIC] = KEYS.map(({ publicKey }) => {
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return `whpk_${Buffer.from(x, 'base64url').toString('base64')}`;
}) as [string, string];

export default [
  standardVector('webhook'),
  {
    name: 'a public key',
    secret: PUBLIC,
    otherSecret: OTHER_PUBLIC,
    header: 'webhook-signature',
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    isVerifiedOnly: true,
    sign: ({ body, at }, secret) => {
      const { privateKey } = KEYS[secret === PUBLIC ? 0 : 1];
      const signed = Buffer.concat([Buffer.from(`msg_1.${seconds(at)}.`), body]);
      const signature = sign(null, signed, privateKey).toString('base64');
      return {
        headers: [
          ['webhook-id', 'msg_1'],
          ['webhook-timestamp', seconds(at)],
          ['webhook-signature', `v1a,${signature}`],
        ],
      };
    },
  },
] satisfies Vector[];

export const published: Published[] = [
  {
    source: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    headers: [
      ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
      ['webhook-timestamp', '1614265330'],
      ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
    ],
    body: '{"test": 2432232314}',
    receivedAt: 1_614_265_330_000,
  },
];
