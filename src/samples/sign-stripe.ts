import { createHmac } from 'node:crypto';
import { type Signer, TEST_SECRET } from './signer.ts';

/**
 * `t=<seconds>,v1=` and the hexadecimal HMAC-SHA256 of `<seconds>.<body>`. The
 * key is the endpoint's secret as it stands, with its `whsec_`.
 *
 * https://docs.stripe.com/webhooks?verify=verify-manually#verify-manually
 */
export const stripeSigner: Signer = {
  header: 'Stripe-Signature',
  testSecret: TEST_SECRET,
  sign({ body, timestampS }, secret) {
    const hmac = createHmac('sha256', secret).update(`${timestampS}.`).update(body);
    return [['Stripe-Signature', `t=${timestampS},v1=${hmac.digest('hex')}`]];
  },
};
