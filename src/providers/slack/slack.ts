import type { Provider } from '../provider.ts';
import { schemeProof } from '../signing/proof.ts';
import { schemeSigner } from '../signing/scheme-signer.ts';
import type { SignatureScheme } from '../signing/signature-scheme.ts';
import { slackCertificateCheck, slackHandshake, URL_VERIFICATION } from './handshake.ts';

/**
 * `v0=` and the hexadecimal HMAC-SHA256 of `v0:<seconds>:<body>`, with the
 * seconds in a header of their own.
 *
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
const SCHEME: SignatureScheme = {
  algorithm: 'hmac-sha256',
  key: 'text',
  header: 'X-Slack-Signature',
  encoding: 'hex',
  form: { prefix: 'v0=' },
  signed: [{ text: 'v0:' }, 'time', { text: ':' }, 'body'],
  time: {
    place: { header: 'X-Slack-Request-Timestamp' },
    unit: 's',
    toleranceMs: 300_000,
    isTwoSided: false,
  },
};
const SECRET = "the app's signing secret";

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
  proof: schemeProof(SCHEME, SECRET),
  once: { by: [['body.event_id']] },
  signature: {
    header: SCHEME.header,
    scheme: SCHEME,
    handlers: { name: SECRET, variable: 'SLACK_SIGNING_SECRET' },
    signer: schemeSigner(SCHEME),
    rejection: {
      says: /slack.{0,40}(signature|signing|verif)|(signature|verif).{0,40}slack/i,
      secret: "the app's signing secret (Basic Information in Slack), not a token",
    },
  },
  handshakes: [slackHandshake, slackCertificateCheck],
} satisfies Provider;
