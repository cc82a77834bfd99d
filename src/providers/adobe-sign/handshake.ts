import { headerValue, json } from '../handshaking/answers.ts';
import type { Handshake, HandshakeRequest } from '../provider.ts';
import { headerOf } from '../signing/signed-request.ts';

const HEADER = 'X-AdobeSign-ClientId';

function answer(request: HandshakeRequest) {
  const id = headerValue(headerOf(request, HEADER));
  return id === null ? null : json({ xAdobeSignClientId: id }, ['x-adobesign-clientid', id]);
}

/**
 * GET with the application's client id, which wants it back. Each notification has the header
 * too and gets the same answer.
 *
 * https://helpx.adobe.com/sign/developer/webhook/overview.html
 */
export const adobeSignHandshakes: readonly Handshake[] = [
  {
    matches: (request) => request.method === 'GET' && headerOf(request, HEADER) !== null,
    withoutSource: true,
    answer,
    purpose: 'Adobe Acrobat Sign checks that this URL is yours before it sends events.',
  },
  {
    matches: (request) => request.method === 'POST' && headerOf(request, HEADER) !== null,
    withoutSource: true,
    answer,
  },
];
