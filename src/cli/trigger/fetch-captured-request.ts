import type { EventHeadAnswer } from '../../api/events/event-answer.ts';
import type { Verification } from '../../core/proof/verification.ts';
import type { ApiClient } from '../client/api-client.ts';
import { eventHead } from '../client/event-params.ts';

export interface RequestToResend {
  endpointId: string;
  /** The provider that verified the request or that it resembles; null without one. */
  provider: string | null;
  method: string;
  /** Path below the capture URL; empty, or with a leading `/`. */
  path: string;
  /** The query without its `?`. */
  query: string;
  /** Names and values in turn, without headers of the connection. */
  headers: string[];
  body: Buffer;
}

/** Servers that verify nothing omit `verification`. */
type Captured = Omit<EventHeadAnswer, 'body_encoding' | 'verification'> & {
  verification?: Verification;
};

/** Throws `event_not_found`. */
export async function fetchCapturedRequest(
  client: Pick<ApiClient, 'call'>,
  eventId: string,
): Promise<RequestToResend> {
  const event: Captured = await eventHead(client, eventId);
  const { id, endpoint_id, method, path, query, raw_headers } = event;
  return {
    endpointId: endpoint_id,
    provider: event.verification?.provider ?? event.provider,
    method,
    path,
    query,
    headers: endToEndHeaders(raw_headers),
    body: await client.call('GET /api/endpoints/{id}/events/{eventId}/raw', {
      params: { id: endpoint_id, eventId: id },
      as: 'bytes',
    }),
  };
}

/**
 * Headers of one connection (RFC 9110, section 7.6.1), or that the new request sets itself.
 * `expect` must go, because the body follows at once.
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
 * Unlike a delivery, adds no headers and keeps `x-hookrelay-*`, because `trigger` replaces the
 * sender.
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
