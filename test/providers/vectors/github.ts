import { verify } from '@octokit/webhooks-methods';
import { asObject, BODY, bodyVector, TEXTS } from '../documented.ts';
import type { Published, Vector } from '../vector.ts';

export default [
  {
    ...bodyVector('X-Hub-Signature-256', 'hex', 'sha256='),
    accepts: ({ headers, body }, secret) =>
      verify(secret, body.toString(), asObject(headers)['x-hub-signature-256'] ?? ''),
  },
  {
    ...bodyVector('X-Hub-Signature', 'hex', 'sha1=', 'sha1'),
    name: 'SHA-1 alone',
    isVerifiedOnly: true,
  },
] satisfies Vector[];

const { headers: OF_SHA1 } = bodyVector('X-Hub-Signature', 'hex', 'sha1=', 'sha1').sign(
  { method: 'POST', url: '', body: Buffer.from(BODY), at: 0 },
  TEXTS.secret,
);

export const published: Published[] = [
  {
    source:
      'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation',
    secret: "It's a Secret to Everybody",
    headers: [
      [
        'X-Hub-Signature-256',
        'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      ],
    ],
    body: 'Hello, World!',
  },
  {
    source: 'The right SHA-1 doesn’t help a request with a wrong SHA-256.',
    secret: TEXTS.secret,
    headers: [...OF_SHA1, ['X-Hub-Signature-256', `sha256=${'0'.repeat(64)}`]],
    body: BODY,
    reason: 'signature_mismatch',
  },
];
