import { headerValue, json } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { headerOf } from '../signing/signed-request.ts';

const HEADER = 'Smartsheet-Hook-Challenge';

/**
 * POST with a challenge, when the webhook is enabled and once in 100 callbacks.
 *
 * https://developers.smartsheet.com/api/smartsheet/guides/webhooks/webhook-verification
 */
export const smartsheetHandshake: Handshake = {
  matches: (request) => request.method === 'POST' && headerOf(request, HEADER) !== null,
  withoutSource: true,
  answer(request) {
    const challenge = headerValue(headerOf(request, HEADER));
    if (challenge === null) return null;
    return json({ smartsheetHookResponse: challenge }, ['smartsheet-hook-response', challenge]);
  },
  purpose: 'Smartsheet checks that this URL expects callbacks. It does so again and again.',
};
