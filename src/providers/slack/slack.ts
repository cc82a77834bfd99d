import type { Provider } from '../provider.ts';
import { ownSignatureIn } from '../signing/signed-by.ts';
import { slackCertificateCheck, slackHandshake, URL_VERIFICATION } from './handshake.ts';

const SIGNED = ownSignatureIn('X-Slack-Signature', "the app's signing secret", {
  form: { prefix: 'v0=' },
  signed: [{ text: 'v0:' }, 'time', { text: ':' }, 'body'],
  time: {
    place: { header: 'X-Slack-Request-Timestamp' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: false,
  },
});

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
export const slack = {
  name: 'slack',
  title: 'Slack',
  shapes: [
    (o) => (o('team_id') && o('api_app_id') && o('event') ? o('event', 'type') : undefined),
    (o) => (o('type') === URL_VERIFICATION && o('challenge') ? o('type') : undefined),
    (o) => (o('command') && o('team_id') && o('response_url') ? o('command') : undefined),
  ],
  typePaths: [['event', 'type'], ['type'], ['command']],
  once: { by: [['body.event_id']] },
  handshakes: [slackHandshake, slackCertificateCheck],
  ...SIGNED,
  signature: {
    ...SIGNED.signature,
    handlers: { name: SIGNED.proof.secret, variable: 'SLACK_SIGNING_SECRET' },
    rejection: {
      says: /slack.{0,40}(signature|signing|verif)|(signature|verif).{0,40}slack/i,
      secret: "the app's signing secret (Basic Information in Slack), not a token",
    },
  },
} satisfies Provider;
