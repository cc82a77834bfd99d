import { echo } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { jsonObject } from '../signing/json-body.ts';

/** The type of Slack's verification request. */
export const URL_VERIFICATION = 'url_verification';
/** A verification request is small. Larger bodies aren't searched for one. */
const MAX_BODY_BYTES = 4096;

/**
 * POST `{"type": "url_verification", "challenge": …}`
 * (https://docs.slack.dev/reference/events/url_verification).
 */
export const slackHandshake: Handshake = {
  matches: ({ method, body }) =>
    method === 'POST' && body.length <= MAX_BODY_BYTES && body.includes(URL_VERIFICATION),
  withoutSource: true,
  answer({ body }) {
    const { type, challenge } = jsonObject(body) ?? {};
    return type === URL_VERIFICATION ? echo(challenge) : null;
  },
};
