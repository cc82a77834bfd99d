import { setImmediate } from 'node:timers/promises';
import type { EventSummary } from '../../core/model.ts';
import type { FetchedKey, KeyRequest } from '../../providers/fetched-keys/fetched-key.ts';
import { isUnsignedHandshake } from '../../providers/handshakes.ts';
import { proofOf } from '../../providers/own-sources/proof-of.ts';
import { prove } from '../../providers/prove.ts';
import type { SignedRequest } from '../../providers/signing/signed-request.ts';
import type { EventContent, EventStore } from '../../store/contract/events.ts';
import { CheckHints } from './check-hints.ts';
import type { OpenSource } from './merged-source.ts';
import type { SourceCheckAnswer } from './source-check-answer.ts';

/** Limits of one read: events and body bytes. */
const SLICE = { most: 100, bytes: 2 * 1024 * 1024 };
/** Larger bodies are skipped, because parsing one would delay captures. */
const MOST_BODY_BYTES = 1024 * 1024;
/** The largest number of bytes to hash for one event, in all. Hashing them takes about 10 ms. */
const MOST_HASHED_BYTES = 10 * 1024 * 1024;
/** The largest number of body bytes that one check reads. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Time after which no further event is checked, ms. */
export const CHECK_DEADLINE_MS = 10_000;
/** Longest work on the main thread without a pause, ms. */
const MOST_MS_AT_ONCE = 5;

type Counts = Omit<SourceCheckAnswer, 'hints'>;

export interface CheckOptions {
  events: Pick<EventStore, 'newest'>;
  monotonic(): number;
  /** Called before each pause with the time spent on the main thread, ms. */
  charge?(ms: number): void;
  /** The URLs that the sender of an event may have signed. */
  urlsOf(event: EventSummary, content: EventContent): readonly string[];
  /** The URLs that the sender may have signed by mistake. */
  otherUrlsOf(event: EventSummary, content: EventContent, tried: readonly string[]): string[];
  /** Returns a key that a provider publishes; null if the key is unavailable at present. */
  keyOf(request: KeyRequest): Promise<FetchedKey | null>;
}

/**
 * Verifies an endpoint's newest events with a source, as if they arrived now. Sets `ended_early` if
 * it stops at the deadline or the byte limit. Rejects with the signal's reason.
 */
export async function checkSource(
  endpointKey: number,
  source: OpenSource,
  last: number,
  signal: AbortSignal,
  { events, monotonic, charge, urlsOf, otherUrlsOf, keyOf }: CheckOptions,
): Promise<SourceCheckAnswer> {
  const { settings, secrets } = source;
  const result: Counts = {
    checked: 0,
    verified: 0,
    failed: {},
    skipped: 0,
    ended_early: false,
  };
  const proof = proofOf(settings);
  const looks = new CheckHints(source, monotonic);
  const deadline = monotonic() + CHECK_DEADLINE_MS;
  let pausedAt = monotonic();
  let before: number | null = null;
  let bytes = 0;
  let seen = 0;
  const isOver = () => bytes >= MOST_BYTES || monotonic() >= deadline;
  while (seen < last) {
    if (isOver()) return { ...result, ended_early: true, hints: looks.hints };
    const slice = await events.newest(endpointKey, before, {
      most: Math.min(SLICE.most, last - seen),
      bytes: SLICE.bytes,
    });
    if (slice.length === 0) break;
    for (const { event, content } of slice) {
      if (monotonic() - pausedAt >= MOST_MS_AT_ONCE) {
        charge?.(monotonic() - pausedAt);
        await setImmediate();
        signal.throwIfAborted();
        pausedAt = monotonic();
      }
      if (isOver()) return { ...result, ended_early: true, hints: looks.hints };
      bytes += content.body.length;
      const request = signedRequest(event, content, urlsOf);
      const tries = (secrets?.length ?? 0) * (proof?.coversUrl ? request.urls.length : 1);
      const isLarge =
        content.body.length > MOST_BODY_BYTES || content.body.length * tries > MOST_HASHED_BYTES;
      if (event.editedFrom !== null || isLarge) {
        result.skipped++;
        continue;
      }
      const needed = proof?.keyNeeded?.(request, secrets ?? []) ?? null;
      const key = needed && (await keyOf(needed));
      const verification = prove(settings, secrets, { ...request, key }, proof);
      if (verification.state === 'failed' && isHandshake(source, request)) {
        result.skipped++;
        continue;
      }
      const reason = looks.note(request, verification, () =>
        otherUrlsOf(event, content, request.urls),
      );
      add(result, { ...verification, reason });
    }
    seen += slice.length;
    before = slice.at(-1)?.event.seq ?? null;
    signal.throwIfAborted();
  }
  return { ...result, hints: looks.hints };
}

/** An unsigned handshake isn't a failure, because an enforced source answers it. */
function isHandshake({ settings, secrets }: OpenSource, request: SignedRequest): boolean {
  return isUnsignedHandshake(settings.provider, request, secrets?.[0] ?? null);
}

function add(result: Counts, { state, reason }: ReturnType<typeof prove>): void {
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
