import { accepted, echo, echoJson, headerValue, json } from '../handshaking/answers.ts';
import { memberAt } from '../member-at.ts';
import type { HandshakeRequest, Provider } from '../provider.ts';
import { jsonBody, jsonObject } from '../signing/json-body.ts';
import { headerOf } from '../signing/signed-request.ts';

const ADOBE_SIGN_ID = 'x-adobesign-clientid';
const CLOUDEVENTS_ORIGIN = 'webhook-request-origin';
const EVENT_GRID_TYPE = 'aeg-event-type';
const SMARTSHEET_CHALLENGE = 'smartsheet-hook-challenge';
const WORLDLINE_CHALLENGE = 'x-gcs-webhooks-endpoint-verification';
/** The largest body of monday.com's check, bytes. This is the longest challenge and its JSON. */
const MOST_MONDAY_BYTES = 1100;
/** Where the only member of its body begins, bytes at most. */
const MONDAY_MEMBER_BYTES = 64;

/** A search through each small body would take most of the time of this check. */
function startsWithChallenge(body: Buffer): boolean {
  return /^\s*\{\s*"challenge"/.test(body.toString('latin1', 0, MONDAY_MEMBER_BYTES));
}

function withAdobeSignId(request: HandshakeRequest) {
  const id = headerValue(headerOf(request, ADOBE_SIGN_ID));
  return id === null ? null : json({ xAdobeSignClientId: id }, [ADOBE_SIGN_ID, id]);
}

/** Providers whose URL check hookrelay answers, but whose requests it doesn't verify. */
export const URL_CHECKS: readonly Provider[] = [
  // https://learn.microsoft.com/azure/event-grid/webhook-event-delivery
  {
    name: 'azure-event-grid',
    title: 'Azure Event Grid',
    marks: [{ header: EVENT_GRID_TYPE, isType: true, rank: 3 }],
    shapes: [(o) => (o('0', 'eventType') && o('0', 'topic') ? o('0', 'eventType') : undefined)],
    handshakes: [
      {
        // The check in Event Grid's own schema. With the schema of CloudEvents, Event Grid sends
        // OPTIONS.
        method: 'POST',
        header: EVENT_GRID_TYPE,
        matches: (request) =>
          headerOf(request, EVENT_GRID_TYPE)?.toLowerCase() === 'subscriptionvalidation',
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
        method: 'POST',
        header: SMARTSHEET_CHALLENGE,
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
        method: 'GET',
        header: ADOBE_SIGN_ID,
        withoutSource: true,
        answer: withAdobeSignId,
        purpose: 'Adobe Acrobat Sign checks that this URL is yours before it sends events.',
      },
      {
        // A notification, which expects the same answer as the check.
        method: 'POST',
        header: ADOBE_SIGN_ID,
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
        method: 'GET',
        header: WORLDLINE_CHALLENGE,
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
        method: 'POST',
        matches({ body }) {
          if (body.length > MOST_MONDAY_BYTES || !startsWithChallenge(body)) return false;
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
        method: 'OPTIONS',
        header: CLOUDEVENTS_ORIGIN,
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
