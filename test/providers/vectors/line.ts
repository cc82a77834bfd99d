import { validateSignature } from '@line/bot-sdk';
import { asObject, bodyVector } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...bodyVector('X-Line-Signature', 'base64'),
    accepts: ({ headers, body }, secret) =>
      validateSignature(body, secret, asObject(headers)['x-line-signature'] ?? ''),
  },
] satisfies Vector[];
