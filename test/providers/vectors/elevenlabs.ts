import { BODY, hmac, seconds, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...TEXTS,
    header: 'ElevenLabs-Signature',
    body: BODY,
    window: { pastS: 1800, futureS: null },
    sign: ({ body, at }, secret) => {
      const t = seconds(at);
      const signature = hmac('sha256', secret, 'hex', `${t}.`, body);
      return { headers: [['ElevenLabs-Signature', `t=${t},v0=${signature}`]] };
    },
  },
] satisfies Vector[];
