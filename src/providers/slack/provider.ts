import type { Provider } from '../provider.ts';
import type { HmacScheme } from '../signing/hmac-scheme.ts';
import { hmacSigner } from '../signing/hmac-signer.ts';
import { slackHandshake, URL_VERIFICATION } from './handshake.ts';

const HEADER = 'X-Slack-Signature';

/**
 * `v0=` and the hexadecimal HMAC-SHA256 of `v0:<seconds>:<body>`, with the
 * seconds in a header of their own.
 *
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
const HMAC: HmacScheme = {
  hash: 'sha256',
  encoding: 'hex',
  prefix: 'v0=',
  time: {
    place: { header: 'X-Slack-Request-Timestamp' },
    before: 'v0:',
    after: ':',
    toleranceS: 300,
  },
  secret: { name: "the app's signing secret", variable: 'SLACK_SIGNING_SECRET' },
};

export const slack = {
  name: 'slack',
  title: 'Slack',
  marks: [{ header: 'x-slack-signature', rank: 3 }],
  shapes: [
    (o) => (o('team_id') && o('api_app_id') && o('event') ? o('event', 'type') : undefined),
    (o) => (o('type') === URL_VERIFICATION && o('challenge') ? o('type') : undefined),
    (o) => (o('command') && o('team_id') && o('response_url') ? o('command') : undefined),
  ],
  typePaths: [['event', 'type'], ['type'], ['command']],
  signature: {
    header: HEADER,
    hmac: HMAC,
    signer: hmacSigner(HEADER, HMAC),
    rejection: {
      says: /slack.{0,40}(signature|signing|verif)|(signature|verif).{0,40}slack/i,
      secret: "the app's signing secret (Basic Information in Slack), not a token",
    },
  },
  handshake: slackHandshake,
} satisfies Provider;
