import Stripe from 'stripe';
import { asObject, BODY, isAccepted } from '../documented.ts';
import type { Vector } from '../vector.ts';

const { webhooks } = Stripe;

export default [
  {
    secret: 'whsec_8H1cKzLQJbTmSpR4xYd2nVwEuAoG6fZi',
    otherSecret: 'whsec_pQ7mXcW3bNvK5tRzYd9fGhJ2sLaE8uTo',
    header: 'Stripe-Signature',
    body: BODY,
    window: { pastS: 300, futureS: null },
    sign: ({ body, at }, secret) => ({
      headers: [
        [
          'Stripe-Signature',
          webhooks.generateTestHeaderString({
            payload: body.toString(),
            secret,
            timestamp: at / 1000,
          }),
        ],
      ],
    }),
    accepts: ({ headers, body }, secret) =>
      isAccepted(() =>
        webhooks.constructEvent(body, asObject(headers)['stripe-signature'] ?? '', secret),
      ),
  },
] satisfies Vector[];
