import { setTimeout as sleep } from 'node:timers/promises';
import type { EventHeadAnswer, EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import { eventHeadText } from '../client/event-head-text.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { brokenOff, isPassing, type StreamedGet } from './streamed-get.ts';

/**
 * Gets an event without its body. Throws `event_not_found`, or `server_unreachable` if the answer
 * breaks off. Throws `invalid_json` if the answer is no event, because a retry wouldn't help.
 */
export async function fetchEventHead(
  get: StreamedGet,
  eventId: string,
  signal: AbortSignal,
): Promise<EventHeadAnswer> {
  const { headers, body } = await get.get('GET /api/events/{eventId}', {
    params: { eventId },
    signal,
  });
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  let text: string;
  try {
    text = await eventHeadText(body, length);
  } catch (error) {
    throw brokenOff(get.url, error);
  }
  try {
    return JSON.parse(text) as EventHeadAnswer;
  } catch (cause) {
    throw new HookrelayError('invalid_json', `${get.url} answered no event for ${eventId}`, {
      hint: 'is a proxy between here and the server changing its answers?',
      cause,
    });
  }
}

/**
 * Stops after the chunk that reaches `maxBytes`. Throws `event_not_found`, or `server_unreachable`
 * if the answer breaks off.
 */
export async function fetchEventBody(
  get: StreamedGet,
  event: Pick<EventSummaryAnswer, 'id' | 'endpoint_id'>,
  signal: AbortSignal,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const { headers, body } = await get.get('GET /api/endpoints/{id}/events/{eventId}/raw', {
    params: { id: event.endpoint_id, eventId: event.id },
    signal,
  });
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      read += chunk.length;
      if (read >= maxBytes) break;
    }
  } catch (error) {
    throw brokenOff(get.url, error);
  }
  const length = headers['content-length'];
  if (length === undefined || read >= Math.min(maxBytes, Number(length))) {
    return Buffer.concat(chunks);
  }
  throw brokenOff(get.url, new Error(`${read} of ${String(length)} bytes`));
}

/** Repeats a call while the server is unreachable. Throws other errors and the signal's reason. */
export async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
    }
    await sleep(reconnectDelay(failures, Math.random()), undefined, { signal });
  }
}
