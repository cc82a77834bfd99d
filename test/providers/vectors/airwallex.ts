import { BODY, hmac, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...TEXTS,
    header: 'x-signature',
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => {
      const t = String(at);
      const signature = hmac('sha256', secret, 'hex', t, body);
      return {
        headers: [
          ['x-timestamp', t],
          ['x-signature', signature],
        ],
      };
    },
  },
] satisfies Vector[];
