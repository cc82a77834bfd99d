import { echo } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { headerOf } from '../signing/signed-request.ts';

const HEADER = 'X-GCS-Webhooks-Endpoint-Verification';

/** https://docs.connect.worldline-solutions.com/documentation/webhooks/ */
export const worldlineHandshake: Handshake = {
  matches: (request) => request.method === 'GET' && headerOf(request, HEADER) !== null,
  withoutSource: true,
  answer: (request) => echo(headerOf(request, HEADER)),
  purpose: 'Worldline checks that this URL is yours before it sends events.',
};
