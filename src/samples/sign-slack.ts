import { createHmac } from 'node:crypto';
import { type Signer, TEST_SECRET } from './signer.ts';

/**
 * `v0=` and the hexadecimal HMAC-SHA256 of `v0:<seconds>:<body>`, with the
 * seconds in a header of their own.
 *
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export const slackSigner: Signer = {
  header: 'X-Slack-Signature',
  testSecret: TEST_SECRET,
  sign({ body, timestampS }, secret) {
    const hmac = createHmac('sha256', secret).update(`v0:${timestampS}:`).update(body);
    return [
      ['X-Slack-Request-Timestamp', String(timestampS)],
      ['X-Slack-Signature', `v0=${hmac.digest('hex')}`],
    ];
  },
};
