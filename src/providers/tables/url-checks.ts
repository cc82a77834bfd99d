import { accepted, echo, echoJson, headerValue, json } from '../handshaking/answers.ts';
import { memberAt } from '../member-at.ts';
import type { HandshakeRequest, Provider } from '../provider.ts';
import { jsonBody, jsonObject } from '../signing/json-body.ts';
import { headerOf } from '../signing/signed-request.ts';

const ADOBE_SIGN_ID = 'X-AdobeSign-ClientId';
const CLOUDEVENTS_ORIGIN = 'WebHook-Request-Origin';
const SMARTSHEET_CHALLENGE = 'Smartsheet-Hook-Challenge';
const WORLDLINE_CHALLENGE = 'X-GCS-Webhooks-Endpoint-Verification';
/** The largest body of monday.com's check, bytes. This is the longest challenge and its JSON. */
const MOST_MONDAY_BYTES = 1100;

function withAdobeSignId(request: HandshakeRequest) {
  const id = headerValue(headerOf(request, ADOBE_SIGN_ID));
  return id === null ? null : json({ xAdobeSignClientId: id }, ['x-adobesign-clientid', id]);
}

/** Providers whose URL check hookrelay answers, but whose requests it doesn't verify. */
export const URL_CHECKS: readonly Provider[] = [
  // https://learn.microsoft.com/azure/event-grid/webhook-event-delivery
  {
    name: 'azure-event-grid',
    title: 'Azure Event Grid',
    marks: [{ header: 'aeg-event-type', isType: true, rank: 3 }],
    shapes: [(o) => (o('0', 'eventType') && o('0', 'topic') ? o('0', 'eventType') : undefined)],
    handshakes: [
      {
        // The check in Event Grid's own schema. With the schema of CloudEvents, Event Grid sends
        // OPTIONS.
        matches: (request) =>
          request.method === 'POST' &&
          headerOf(request, 'aeg-event-type')?.toLowerCase() === 'subscriptionvalidation',
        withoutSource: true,
        answer: ({ body }) =>
          echoJson('validationResponse', memberAt(jsonBody(body), '0', 'data', 'validationCode')),
        purpose: 'Azure Event Grid checks that this URL is yours before it sends events.',
      },
    ],
  },
  // https://developers.smartsheet.com/api/smartsheet/guides/webhooks/webhook-verification
  {
    name: 'smartsheet',
    title: 'Smartsheet',
    handshakes: [
      {
        // Smartsheet sends it when the webhook is enabled, and once in 100 callbacks.
        matches: (request) =>
          request.method === 'POST' && headerOf(request, SMARTSHEET_CHALLENGE) !== null,
        withoutSource: true,
        answer(request) {
          const challenge = headerValue(headerOf(request, SMARTSHEET_CHALLENGE));
          if (challenge === null) return null;
          return json({ smartsheetHookResponse: challenge }, [
            'smartsheet-hook-response',
            challenge,
          ]);
        },
        purpose:
          'Smartsheet checks that this URL expects callbacks, and repeats the check once in 100 callbacks.',
      },
    ],
  },
  // https://helpx.adobe.com/sign/developer/webhook/overview.html
  {
    name: 'adobe-sign',
    title: 'Adobe Acrobat Sign',
    handshakes: [
      {
        matches: (request) => request.method === 'GET' && headerOf(request, ADOBE_SIGN_ID) !== null,
        withoutSource: true,
        answer: withAdobeSignId,
        purpose: 'Adobe Acrobat Sign checks that this URL is yours before it sends events.',
      },
      {
        // A notification, which expects the same answer as the check.
        matches: (request) =>
          request.method === 'POST' && headerOf(request, ADOBE_SIGN_ID) !== null,
        withoutSource: true,
        answer: withAdobeSignId,
      },
    ],
  },
  // https://docs.connect.worldline-solutions.com/documentation/webhooks/
  {
    name: 'worldline',
    title: 'Worldline',
    handshakes: [
      {
        matches: (request) =>
          request.method === 'GET' && headerOf(request, WORLDLINE_CHALLENGE) !== null,
        withoutSource: true,
        answer: (request) => echo(headerOf(request, WORLDLINE_CHALLENGE)),
        purpose: 'Worldline checks that this URL is yours before it sends events.',
      },
    ],
  },
  // https://developer.monday.com/api-reference/docs/webhooks#url-verification
  {
    name: 'monday',
    title: 'monday.com',
    handshakes: [
      {
        matches({ method, body }) {
          const isLikely = method === 'POST' && body.length <= MOST_MONDAY_BYTES;
          if (!isLikely || !body.includes('"challenge"')) return false;
          const members = Object.keys(jsonObject(body) ?? {});
          return members.length === 1 && members[0] === 'challenge';
        },
        withoutSource: true,
        answer: ({ body }) => echoJson('challenge', jsonObject(body)?.challenge),
        purpose: 'monday.com checks that this URL is yours before it sends events.',
      },
    ],
  },
  // https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md#4-abuse-protection
  {
    name: 'cloudevents',
    title: 'CloudEvents',
    sender: 'A CloudEvents source',
    marks: [{ header: 'ce-type', isType: true, rank: 2 }],
    shapes: [(o) => (o('specversion') && o('source') ? o('type') : undefined)],
    handshakes: [
      {
        // The answer must repeat the sender's name as an allowed sender.
        matches: (request) =>
          request.method === 'OPTIONS' && headerOf(request, CLOUDEVENTS_ORIGIN) !== null,
        withoutSource: true,
        answer(request) {
          const origin = headerValue(headerOf(request, CLOUDEVENTS_ORIGIN));
          if (origin === null) return null;
          return accepted([
            ...['webhook-allowed-origin', origin, 'webhook-allowed-rate', '*'],
            ...['allow', 'POST, OPTIONS'],
          ]);
        },
        purpose:
          'A CloudEvents sender, such as Azure Event Grid, asks whether it may send events here.',
      },
    ],
  },
];
