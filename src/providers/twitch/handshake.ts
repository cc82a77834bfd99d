import { echo } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { jsonObject } from '../signing/json-body.ts';
import { headerOf } from '../signing/signed-request.ts';

const HEADER = 'twitch-eventsub-message-type';

/**
 * A POST with a `challenge` in the body, signed like any other message. The header with the type
 * isn't signed, but only a check has a challenge in its body.
 *
 * https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#responding-to-a-challenge-request
 */
export const twitchHandshake: Handshake = {
  method: 'POST',
  header: HEADER,
  matches: (request) => headerOf(request, HEADER) === 'webhook_callback_verification',
  signed: 'only',
  answer: ({ body }) => echo(jsonObject(body)?.challenge),
  purpose: 'Twitch checks that this URL wants the events of a subscription.',
};
