import { BODY, hmac, seconds, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...TEXTS,
    header: 'X-CIO-Signature',
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => {
      const t = seconds(at);
      const signature = hmac('sha256', secret, 'hex', `v0:${t}:`, body);
      return {
        headers: [
          ['X-CIO-Timestamp', t],
          ['X-CIO-Signature', signature],
        ],
      };
    },
  },
] satisfies Vector[];
