import { BODY, hmac, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...TEXTS,
    header: 'Klaviyo-Signature',
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => {
      const t = new Date(at).toUTCString();
      const signature = hmac('sha256', secret, 'hex', body, t);
      return {
        headers: [
          ['Klaviyo-Timestamp', t],
          ['Klaviyo-Signature', signature],
        ],
      };
    },
  },
] satisfies Vector[];
