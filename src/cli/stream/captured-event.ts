import { setTimeout as sleep } from 'node:timers/promises';
import type { EventHead, EventSummary } from '../../api/api-types.ts';
import { HookrelayError } from '../../core/errors.ts';
import { eventHeadText } from '../client/event-head-text.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { brokenOff, isPassing, type StreamedGet } from './streamed-get.ts';

/**
 * An event without its body.
 *
 * Throws `event_not_found`, `server_unreachable` when the answer breaks off, and
 * `invalid_json` for an answer that can't be read: asked again, it would be the same.
 */
export async function eventHead(
  get: StreamedGet,
  eventId: string,
  signal: AbortSignal,
): Promise<EventHead> {
  const { headers, body } = await get.get(`/api/events/${encodeURIComponent(eventId)}`, { signal });
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  let text: string;
  try {
    text = await eventHeadText(body, length);
  } catch (error) {
    throw brokenOff(get.url, error);
  }
  try {
    return JSON.parse(text) as EventHead;
  } catch (cause) {
    throw new HookrelayError('invalid_json', `${get.url} answered no event for ${eventId}`, {
      hint: 'is something between it and here that changes answers?',
      cause,
    });
  }
}

/**
 * The event's body, byte for byte, or as much of its beginning as `maxBytes` and
 * a little more. Throws as `eventHead` does.
 */
export async function eventBody(
  get: StreamedGet,
  event: Pick<EventSummary, 'id' | 'endpoint_id'>,
  signal: AbortSignal,
  maxBytes: number = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const [endpointId, eventId] = [event.endpoint_id, event.id].map(encodeURIComponent);
  const { headers, body } = await get.get(`/api/endpoints/${endpointId}/events/${eventId}/raw`, {
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

/**
 * Asks until there is an answer: while the server is away, nothing of what it
 * holds is lost. Throws what waiting can't mend, and what `signal` is aborted with.
 */
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
