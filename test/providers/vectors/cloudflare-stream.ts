import { BODY, hmac, seconds, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...TEXTS,
    header: 'Webhook-Signature',
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => {
      const t = seconds(at);
      const signature = hmac('sha256', secret, 'hex', `${t}.`, body);
      return { headers: [['Webhook-Signature', `time=${t},sig1=${signature}`]] };
    },
  },
] satisfies Vector[];
