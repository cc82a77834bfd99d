import { echo } from '../handshaking/answers.ts';
import { challengeQuery } from '../handshaking/challenge-query.ts';
import type { Handshake } from '../provider.ts';

const ONLY_CHALLENGE = /^challenge=[^&]+$/;

/**
 * A GET with the parameter `challenge`. If it is the only parameter, an endpoint without a source
 * answers it too. Nylas needs this, because Nylas shows its secret only after the check.
 *
 * https://www.dropbox.com/developers/reference/webhooks#documentation
 */
export const dropboxHandshakes: readonly Handshake[] = [
  {
    method: 'GET',
    matches: ({ query }) => ONLY_CHALLENGE.test(query),
    withoutSource: true,
    answer: ({ query }) => echo(new URLSearchParams(query).get('challenge')),
    purpose: 'A provider checks this URL by a challenge, as Dropbox and Nylas do.',
  },
  challengeQuery('challenge', 'Dropbox checks that this URL is yours before it sends events.'),
];
