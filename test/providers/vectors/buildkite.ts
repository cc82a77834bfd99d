import { BODY, hmac, seconds, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

export default [
  {
    ...TEXTS,
    header: 'X-Buildkite-Signature',
    body: BODY,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => {
      const t = seconds(at);
      const signature = hmac('sha256', secret, 'hex', `${t}.`, body);
      return { headers: [['X-Buildkite-Signature', `timestamp=${t},signature=${signature}`]] };
    },
  },
  {
    ...TEXTS,
    name: 'a token',
    header: 'X-Buildkite-Token',
    body: BODY,
    grade: 'authenticated',
    isVerifiedOnly: true,
    sign: (_request, secret) => ({ headers: [['X-Buildkite-Token', secret]] }),
  },
] satisfies Vector[];
