import { BODY, hmac } from '../documented.ts';
import type { Vector } from '../vector.ts';

const KEY = '7F1C9D0E52A84B36'.repeat(8);

const OF_TEXT: Vector = {
  secret: KEY,
  otherSecret: KEY.replaceAll('7', '8'),
  header: 'X-ANET-Signature',
  body: BODY,
  sign: ({ body }, secret) => ({
    headers: [['X-ANET-Signature', `sha512=${hmac('sha512', secret, 'hex', body).toUpperCase()}`]],
  }),
};

export default [
  OF_TEXT,
  {
    ...OF_TEXT,
    name: 'a decoded key',
    sign: (request, secret) =>
      OF_TEXT.sign(request, Buffer.from(secret, 'hex') as unknown as string),
  },
] satisfies Vector[];
