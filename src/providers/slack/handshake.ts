import { accepted, echo } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { jsonObject } from '../signing/json-body.ts';

/** The type of Slack's verification request. */
export const URL_VERIFICATION = 'url_verification';
/** In JSON, a search for this is twice as fast as one for the type. */
const CHALLENGE = '"challenge"';
/** The largest body of a verification request, bytes. */
const MAX_BODY_BYTES = 4096;

/**
 * A POST of `{"type": "url_verification", "challenge": …}`.
 *
 * https://docs.slack.dev/reference/events/url_verification
 */
export const slackHandshake: Handshake = {
  method: 'POST',
  matches: ({ body }) =>
    body.length <= MAX_BODY_BYTES && body.includes(CHALLENGE) && body.includes(URL_VERIFICATION),
  withoutSource: true,
  answer({ body }) {
    const { type, challenge } = jsonObject(body) ?? {};
    return type === URL_VERIFICATION ? echo(challenge) : null;
  },
};

/**
 * A POST of a form with `ssl_check=1`. Slack sends it to check the certificate of a slash command's
 * URL, and expects 200.
 *
 * https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export const slackCertificateCheck: Handshake = {
  method: 'POST',
  matches: ({ body }) =>
    body.length <= MAX_BODY_BYTES &&
    body.includes('ssl_check=1') &&
    new URLSearchParams(body.toString('latin1')).get('ssl_check') === '1',
  answer: () => accepted(),
  purpose: 'Slack checks the certificate of this URL before it sends slash commands.',
};
