import { echoJson } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { jsonObject } from '../signing/json-body.ts';

/** The longest challenge that is echoed, with its JSON. */
const MAX_BODY_BYTES = 1100;

/**
 * POST `{"challenge": …}`, which wants the same JSON back.
 *
 * https://developer.monday.com/api-reference/docs/webhooks#url-verification
 */
export const mondayHandshake: Handshake = {
  matches({ method, body }) {
    const isLikely = method === 'POST' && body.length <= MAX_BODY_BYTES;
    if (!isLikely || !body.includes('"challenge"')) return false;
    const members = Object.keys(jsonObject(body) ?? {});
    return members.length === 1 && members[0] === 'challenge';
  },
  withoutSource: true,
  answer: ({ body }) => echoJson('challenge', jsonObject(body)?.challenge),
  purpose: 'monday.com checks that this URL is yours before it sends events.',
};
