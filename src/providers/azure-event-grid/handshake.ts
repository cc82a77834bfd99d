import { echoJson } from '../handshaking/answers.ts';
import { readerOf } from '../look.ts';
import type { Handshake } from '../provider.ts';
import { jsonBody } from '../signing/json-body.ts';
import { headerOf } from '../signing/signed-request.ts';

/**
 * POST of one event whose data have a `validationCode`, in the schema of Event Grid. With the
 * schema of CloudEvents it sends OPTIONS instead.
 *
 * https://learn.microsoft.com/azure/event-grid/webhook-event-delivery
 */
export const eventGridHandshake: Handshake = {
  matches: (request) =>
    request.method === 'POST' &&
    headerOf(request, 'aeg-event-type')?.toLowerCase() === 'subscriptionvalidation',
  withoutSource: true,
  answer: ({ body }) =>
    echoJson('validationResponse', readerOf(jsonBody(body))('0', 'data', 'validationCode')),
  purpose: 'Azure Event Grid checks that this URL is yours before it sends events.',
};
