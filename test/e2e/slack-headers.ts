import { createHmac } from 'node:crypto';

/**
 * The headers of a request of Slack, by its documentation:
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function slackHeaders(signingSecret: string, body: string, at: number) {
  const seconds = Math.floor(at / 1000);
  const hmac = createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`);
  return {
    'content-type': 'application/json',
    'x-slack-request-timestamp': String(seconds),
    'x-slack-signature': `v0=${hmac.digest('hex')}`,
  };
}
