import { setTimeout as sleep } from 'node:timers/promises';
import { reconnectDelay } from './reconnect-delay.ts';
import type { StreamedEvent } from './stream-item.ts';
import { brokenOff, isPassing, type StreamedGet } from './streamed-get.ts';

/** Where the body begins in the text of an event: the server puts it last. */
const BODY_MEMBER = ',"body":';
/** A rest of an answer that is read and thrown away, to keep the connection, bytes. */
const KEPT_REST_BYTES = 64 * 1024;

/** All of an event but its body. */
export interface EventHead extends StreamedEvent {
  query: string;
  raw_headers: [name: string, value: string][];
  body_encoding: 'json' | 'text' | 'base64' | 'none';
}

/**
 * An event without its body, which may be 25 MiB and is shown re-encoded there:
 * reading ends where it begins.
 *
 * Throws `event_not_found`, or `server_unreachable` when the answer breaks off.
 */
export async function eventHead(
  get: StreamedGet,
  eventId: string,
  signal: AbortSignal,
): Promise<EventHead> {
  const { headers, body } = await get.get(`/api/events/${encodeURIComponent(eventId)}`, { signal });
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  let text = '';
  let end = -1;
  let read = 0;
  try {
    for await (const chunk of body.setEncoding('utf8') as AsyncIterable<string>) {
      read += Buffer.byteLength(chunk);
      if (end < 0) {
        const from = Math.max(0, text.length - BODY_MEMBER.length);
        text += chunk;
        // Inside a string its quotes would be escaped: this can only be the member itself.
        end = text.indexOf(BODY_MEMBER, from);
      }
      if (end >= 0 && length - read > KEPT_REST_BYTES) break;
    }
    return JSON.parse(end < 0 ? text : `${text.slice(0, end)}}`) as EventHead;
  } catch (error) {
    throw brokenOff(get.url, error);
  }
}

/**
 * The event's body, byte for byte, or as much of its beginning as `maxBytes` and
 * a little more. Throws as `eventHead` does.
 */
export async function eventBody(
  get: StreamedGet,
  event: Pick<StreamedEvent, 'id' | 'endpoint_id'>,
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
