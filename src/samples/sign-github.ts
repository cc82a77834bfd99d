import { createHmac } from 'node:crypto';
import { type Signer, TEST_SECRET } from './signer.ts';

/**
 * `sha256=` and the hexadecimal HMAC-SHA256 of the body. GitHub still sends the
 * SHA-1 form beside it, for old receivers.
 *
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export const githubSigner: Signer = {
  header: 'X-Hub-Signature-256',
  testSecret: TEST_SECRET,
  sign({ body }, secret) {
    const hmac = (hash: string) => createHmac(hash, secret).update(body).digest('hex');
    return [
      ['X-Hub-Signature', `sha1=${hmac('sha1')}`],
      ['X-Hub-Signature-256', `sha256=${hmac('sha256')}`],
    ];
  },
};
