import { gzipSync } from 'node:zlib';
import { BODY, hmac, seconds, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

const PLAIN: Vector = {
  ...TEXTS,
  header: 'X-UA-SIGNATURE',
  body: BODY,
  window: { pastS: 300, futureS: 300 },
  sign: ({ body, at }, secret) => ({
    headers: [
      ['X-UA-TIMESTAMP', seconds(at)],
      ['X-UA-SIGNATURE', hmac('sha256', secret, 'hex', `${seconds(at)}:`, body)],
    ],
  }),
};

export default [
  PLAIN,
  {
    ...PLAIN,
    name: 'a compressed body',
    headers: [['Content-Encoding', 'gzip']],
    isVerifiedOnly: true,
    sign: (request, secret) => ({
      ...PLAIN.sign(request, secret),
      body: gzipSync(request.body),
    }),
  },
] satisfies Vector[];
