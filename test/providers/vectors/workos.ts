import { WorkOS } from '@workos-inc/node';
import { asObject, BODY, hmac, isAccepted, TEXTS } from '../documented.ts';
import type { Vector } from '../vector.ts';

const { webhooks } = new WorkOS('sk_test_1');

export default [
  {
    ...TEXTS,
    header: 'WorkOS-Signature',
    body: BODY,
    window: { pastS: 180, futureS: null },
    sign: ({ body, at }, secret) => ({
      headers: [
        ['WorkOS-Signature', `t=${at}, v1=${hmac('sha256', secret, 'hex', `${at}.`, body)}`],
      ],
    }),
    accepts: ({ headers, body }, secret) =>
      isAccepted(() =>
        webhooks.verifyHeader({
          payload: body,
          sigHeader: asObject(headers)['workos-signature'] ?? '',
          secret,
        }),
      ),
  },
] satisfies Vector[];
