import { BODY, bodyVector, hmac, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...TEXTS,
    header: 'X-Front-Signature',
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => {
      const t = String(at);
      const signature = hmac('sha256', secret, 'base64', `${t}:`, body);
      return {
        headers: [
          ['X-Front-Request-Timestamp', t],
          ['X-Front-Signature', signature],
        ],
      };
    },
  },
  {
    ...bodyVector('X-Front-Signature', 'base64', '', 'sha1'),
    name: 'a rule',
    isVerifiedOnly: true,
  },
] satisfies Vector[];
