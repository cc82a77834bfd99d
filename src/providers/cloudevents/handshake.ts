import { accepted, headerValue } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { headerOf } from '../signing/signed-request.ts';

const HEADER = 'WebHook-Request-Origin';

/**
 * OPTIONS with the sender's name, which wants it back as permitted.
 *
 * https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md#4-abuse-protection
 */
export const cloudEventsHandshake: Handshake = {
  matches: (request) => request.method === 'OPTIONS' && headerOf(request, HEADER) !== null,
  withoutSource: true,
  answer(request) {
    const origin = headerValue(headerOf(request, HEADER));
    if (origin === null) return null;
    return accepted([
      ...['webhook-allowed-origin', origin, 'webhook-allowed-rate', '*'],
      ...['allow', 'POST, OPTIONS'],
    ]);
  },
  purpose: 'A CloudEvents sender, such as Azure Event Grid, asks whether it may send events here.',
};
