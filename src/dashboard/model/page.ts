import { signal } from '@preact/signals';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import type { EventHeadAnswer } from '../../api/events/event-answer.ts';
import { utf8Text } from '../text/decompress.ts';
import { type EventDetail, readEvent } from '../text/event-answer.ts';
import { asApiError } from './api-error.ts';
import { LiveClient } from './live-client.ts';
import { PageSession } from './session.ts';

/** State that all views share: the session, the live stream and the endpoints. */
export const session = new PageSession();
export const live = signal<LiveClient | null>(null);
export const endpoints = signal<EndpointAnswer[] | null>(null);

export interface PageNotice {
  text: string;
  hint?: string | null;
  kind: 'info' | 'error';
  undo?: () => Promise<void>;
}

/** The message at the foot of the page. It disappears after a while. */
export const notice = signal<PageNotice | null>(null);

export function tell(text: string): void {
  notice.value = { text, kind: 'info' };
}

export function tellWithUndo(text: string, undo: () => Promise<void>): void {
  notice.value = { text, kind: 'info', undo };
}

/** Runs a button's action. If the action fails, shows a notice and doesn't throw. */
export async function act<T>(action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    const { message, hint } = asApiError(error);
    notice.value = { text: message, hint, kind: 'error' };
    return undefined;
  }
}

/** Loads the endpoints. An unchanged list stays the same object. */
export async function loadEndpoints(): Promise<void> {
  const list = await session.call('GET /api/endpoints');
  if (JSON.stringify(list) !== JSON.stringify(endpoints.peek())) endpoints.value = list;
}

export const destinationsOf = (endpointId: string): Promise<DestinationAnswer[]> =>
  session.call('GET /api/endpoints/{id}/destinations', { params: { id: endpointId } });

/**
 * The largest body that is loaded with its event, bytes. A larger body is requested raw, because
 * the server then needn't check the body's encoding.
 */
const LARGE_BYTES = 256 * 1024;

/** @param size the body's size, bytes; undefined if it isn't known */
export async function loadEvent(
  endpointId: string,
  eventId: string,
  signal: AbortSignal,
  size?: number,
): Promise<EventDetail> {
  const input = { params: { id: endpointId, eventId }, signal };
  if (size === undefined || size <= LARGE_BYTES) {
    const answer = await session.request('GET /api/endpoints/{id}/events/{eventId}', input);
    return readEvent(await answer.text());
  }
  const [head, raw] = await Promise.all([
    loadEventHead(endpointId, eventId, signal),
    session.request('GET /api/endpoints/{id}/events/{eventId}/raw', input),
  ]);
  const bytes = new Uint8Array(await raw.arrayBuffer());
  return { ...head, bytes, text: utf8Text(bytes) };
}

/** Loads an event without its body. */
export const loadEventHead = (
  endpointId: string,
  eventId: string,
  signal: AbortSignal,
): Promise<Omit<EventHeadAnswer, 'body_encoding'>> =>
  session.call('GET /api/endpoints/{id}/events/{eventId}', {
    params: { id: endpointId, eventId },
    query: { body: false },
    signal,
  });

/** Returns a function that loads a value once. After a failure, the next call loads again. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | null = null;
  return () => {
    loaded ??= load().catch((error) => {
      loaded = null;
      throw error;
    });
    return loaded;
  };
}

/** Samples and providers don't change while the server runs. */
export const loadSamples = loadOnce(() => session.call('GET /api/samples'));
export const loadProviders = loadOnce(() => session.call('GET /api/providers'));

export async function sendTestEvent(endpointId: string, sample: string): Promise<string> {
  const { event_id } = await session.call('POST /api/endpoints/{id}/test-events', {
    params: { id: endpointId },
    body: { sample },
  });
  return event_id;
}

session.state.subscribe((state) => {
  if (state.kind === 'signed-in' && !live.value) {
    void act(loadEndpoints);
    const stream = new LiveClient(session);
    live.value = stream;
    void stream.run();
  } else if (state.kind === 'signed-out') {
    live.value?.close();
    live.value = null;
    endpoints.value = null;
    notice.value = null;
  }
});
