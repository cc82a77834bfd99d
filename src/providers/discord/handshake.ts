import { json } from '../handshaking/answers.ts';
import type { Handshake } from '../provider.ts';
import { jsonObject } from '../signing/json-body.ts';

/** The largest body of a ping, bytes. */
const MAX_BODY_BYTES = 8192;
const EMPTY = {
  answer: {
    status: 204,
    content_type: 'application/json',
    body: '',
    headers: ['content-type', 'application/json'],
  },
};

function ping(body: Buffer): Record<string, unknown> | null {
  const value = body.length <= MAX_BODY_BYTES ? jsonObject(body) : null;
  // A webhook event may have the same type as an interaction's ping, but only the event has a
  // member `event`.
  return value && value.event === undefined && value.application_id !== undefined ? value : null;
}

/**
 * Discord's pings. The ping for interactions, `{"type": 1}`, expects `{"type": 1}` in the answer.
 * The ping for webhook events, `{"type": 0}`, expects 204. Discord also sends pings with wrong
 * signatures, and expects 401 for them.
 *
 * https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint
 * https://docs.discord.com/developers/events/webhook-events#preparing-for-events
 */
export const discordHandshakes: readonly Handshake[] = [
  {
    method: 'POST',
    matches: ({ body }) => ping(body)?.type === 1,
    signed: 'or_refused',
    answer: () => json({ type: 1 }),
  },
  {
    method: 'POST',
    matches: ({ body }) => ping(body)?.type === 0,
    signed: 'or_refused',
    answer: () => EMPTY,
  },
];
