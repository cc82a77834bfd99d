import { setImmediate } from 'node:timers/promises';
import type { EventSummary } from '../../core/model.ts';
import { prove } from '../../providers/prove.ts';
import type { SignedRequest } from '../../providers/signing/signed-request.ts';
import type { EventContent, EventStore } from '../../store/contract/events.ts';
import type { SourceCheck } from '../api-types.ts';
import type { OpenSource } from './merged-source.ts';

/** Events and body bytes of one read. */
const SLICE = { most: 100, bytes: 2 * 1024 * 1024 };
/** Larger bodies are skipped: hashing one by ten secrets would hold up captures. */
const MOST_BODY_BYTES = 1024 * 1024;
/** Most body bytes that are read in all. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Time after which no further event is checked, ms. */
export const CHECK_DEADLINE_MS = 10_000;
/** Longest time on the main thread without a pause, ms. */
const MOST_MS_AT_ONCE = 5;

export interface CheckOptions {
  events: Pick<EventStore, 'newest'>;
  monotonic(): number;
  /** The URLs that the sender of an event may have signed. */
  urlsOf(event: EventSummary, content: EventContent): readonly string[];
}

/**
 * Verifies an endpoint's newest events by a source, as if they came now. Ends at a deadline
 * or once it has read very many bytes: then `checked` is smaller. Rejects with the signal's
 * reason when the signal is aborted.
 */
export async function checkSource(
  endpointKey: number,
  { settings, secrets }: OpenSource,
  last: number,
  signal: AbortSignal,
  { events, monotonic, urlsOf }: CheckOptions,
): Promise<SourceCheck> {
  const result: SourceCheck = { checked: 0, verified: 0, failed: {}, skipped: 0 };
  const deadline = monotonic() + CHECK_DEADLINE_MS;
  let pausedAt = monotonic();
  let before: number | null = null;
  let bytes = 0;
  let seen = 0;
  while (seen < last && bytes < MOST_BYTES && monotonic() < deadline) {
    const slice = await events.newest(endpointKey, before, {
      most: Math.min(SLICE.most, last - seen),
      bytes: SLICE.bytes,
    });
    if (slice.length === 0) break;
    for (const { event, content } of slice) {
      if (monotonic() - pausedAt >= MOST_MS_AT_ONCE) {
        await setImmediate();
        signal.throwIfAborted();
        pausedAt = monotonic();
      }
      if (monotonic() >= deadline) return result;
      bytes += content.body.length;
      if (event.editedFrom !== null || content.body.length > MOST_BODY_BYTES) result.skipped++;
      else add(result, prove(settings, secrets, signedRequest(event, content, urlsOf)));
    }
    seen += slice.length;
    before = slice.at(-1)?.event.seq ?? null;
    signal.throwIfAborted();
  }
  return result;
}

function add(result: SourceCheck, { state, reason }: ReturnType<typeof prove>): void {
  result.checked++;
  if (state === 'verified' || state === 'authenticated') result.verified++;
  else result.failed[reason ?? state] = (result.failed[reason ?? state] ?? 0) + 1;
}

function signedRequest(
  event: EventSummary,
  content: EventContent,
  urlsOf: CheckOptions['urlsOf'],
): SignedRequest {
  const { method, receivedAt } = event;
  return { method, receivedAt, ...content, urls: urlsOf(event, content) };
}
