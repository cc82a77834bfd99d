import { BODY, hmac, seconds, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

const HEADER = 'X-Grafana-Alerting-Signature';
const TIME = 'X-Grafana-Alerting-Signature-Timestamp';

export default [
  {
    ...TEXTS,
    header: HEADER,
    body: BODY,
    sign: ({ body }, secret) => ({ headers: [[HEADER, hmac('sha256', secret, 'hex', body)]] }),
  },
  {
    ...TEXTS,
    name: 'with a time',
    header: HEADER,
    body: BODY,
    isVerifiedOnly: true,
    window: { pastS: 300, futureS: 300 },
    sign: ({ body, at }, secret) => ({
      headers: [
        [TIME, seconds(at)],
        [HEADER, hmac('sha256', secret, 'hex', `${seconds(at)}:`, body)],
      ],
    }),
  },
] satisfies Vector[];
