import { echoJson } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { headerOf } from '../signing/signed-request.ts';

const HEADER = 'x-okta-verification-challenge';

/** https://developer.okta.com/docs/concepts/event-hooks/#one-time-verification-request */
export const oktaHandshake: Handshake = {
  method: 'GET',
  header: HEADER,
  withoutSource: true,
  answer: (request) => echoJson('verification', headerOf(request, HEADER)),
  purpose: 'Okta checks that this URL is yours before it sends events.',
};
