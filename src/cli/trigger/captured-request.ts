import type { EventHead } from '../../api/api-types.ts';
import type { ApiClient } from '../client/api-client.ts';

/** A request as it was captured, to be sent once more. */
export interface CapturedRequest {
  endpointId: string;
  method: string;
  /** Below the capture URL: empty, or starting with `/`. */
  path: string;
  /** Without its `?`. */
  query: string;
  /** Name, value, name, value …, without what belonged to the connection. */
  headers: string[];
  body: Buffer;
}

/** Gets the request of an event, with its exact bytes. Throws `event_not_found`. */
export async function fetchCapturedRequest(
  client: Pick<ApiClient, 'call'>,
  eventId: string,
): Promise<CapturedRequest> {
  const detail = `/api/events/${encodeURIComponent(eventId)}`;
  const event = await client.call<EventHead>('GET', detail, { as: 'head' });
  const { id, endpoint_id, method, path, query, raw_headers } = event;
  const raw = `/api/endpoints/${endpoint_id}/events/${id}/raw`;
  return {
    endpointId: endpoint_id,
    method,
    path,
    query,
    headers: endToEndHeaders(raw_headers),
    body: await client.call<Buffer>('GET', raw, { as: 'bytes' }),
  };
}

/**
 * Headers that were the first connection's (RFC 9110, section 7.6.1) or that
 * the new request has of its own. `expect`: the body goes out at once.
 */
const PER_CONNECTION: readonly string[] = [
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
];

/**
 * What passes, in its order, with case and duplicates. Unlike a delivery, which
 * speaks for hookrelay, this speaks for the sender: nothing is added, and
 * `x-hookrelay-*` headers that came in go out again.
 */
export function endToEndHeaders(rawHeaders: readonly (readonly [string, string])[]): string[] {
  const dropped = new Set(PER_CONNECTION);
  for (const [name, value] of rawHeaders) {
    if (name.toLowerCase() !== 'connection') continue;
    for (const option of value.split(',')) dropped.add(option.trim().toLowerCase());
  }
  return rawHeaders
    .filter(([name]) => {
      const key = name.toLowerCase();
      return !dropped.has(key) && !key.startsWith('proxy-');
    })
    .flat();
}
