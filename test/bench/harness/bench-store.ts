import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import { newId } from '../../../src/core/ids.ts';

import { systemClock } from '../../../src/core/runtime/runtime.ts';
import type { ClaimedDelivery, ClaimTerms } from '../../../src/store/contract/claims.ts';
import type { Settlement } from '../../../src/store/contract/queue.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { PAYLOAD_HEADERS } from './payload.ts';

/** No delivery is claimed: the server that starts later finds them due. */
export const CLAIM_NOTHING: ClaimTerms = { leaseUntil: 0, limit: 0, skip: new Set() };

const PROGRESS_EVERY_MS = 10_000;
/**
 * Indexing has stopped when it makes no progress for this long. On a busy machine
 * it is only slow.
 */
const STALLED_MS = 60_000;
const POLL_MS = 100;

/** Opens the store of a data directory, and closes it after `work` once everything is indexed. */
export async function withStore<T>(
  dataDir: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const log = { debug() {}, info() {}, warn: tell, error: tell };
  const onFatal = (error: Error) => {
    throw error;
  };
  const store = await openSqliteStore({ dataDir, clock: systemClock, log, onFatal });
  try {
    const result = await work(store);
    await untilIndexed(store);
    return result;
  } finally {
    await store.close();
  }
}

/** The captured form of a request with this body. */
export function capturedRequest(
  publicToken: string,
  text: string,
  receivedAt: number,
): CapturedRequest {
  const body = Buffer.from(text);
  const length = ['Content-Length', String(body.length)];
  return {
    id: newId('evt', receivedAt),
    publicToken,
    method: 'POST',
    path: '',
    query: '',
    rawHeaders: ['Host', '127.0.0.1:8484', ...PAYLOAD_HEADERS.flat(), ...length],
    body: new BorrowedBody(body),
    contentType: 'application/json; charset=utf-8',
    sourceIp: '127.0.0.1',
    receivedAt,
    provider: 'stripe',
    eventType: null,
  };
}

/** The outcome of an attempt that got this status, and the next state. */
export function failedAttempt(
  claim: ClaimedDelivery,
  responseCode: number,
  next: Settlement['next'],
): Settlement {
  const now = Date.now();
  return {
    claim,
    attempt: {
      id: newId('att', now),
      destinationUrl: 'https://192.0.2.1',
      responseCode,
      responseHeaders: [],
      responseBody: '',
      responseTruncated: false,
      durationMs: 1,
      error: null,
      attemptedAt: now,
      requestHeaders: [],
      ruleVersion: 0,
    },
    timedOut: false,
    reach: 'answered',
    holdMs: null,
    next,
  };
}

/** Calls `tell` at intervals that suit a reader. */
export function progress(): (text: () => string) => void {
  let toldAt = performance.now();
  return (text) => {
    if (performance.now() - toldAt < PROGRESS_EVERY_MS) return;
    toldAt = performance.now();
    tell(text());
  };
}

async function untilIndexed(store: Store): Promise<void> {
  const told = progress();
  let progressAt = performance.now();
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    const { indexLag } = await store.stats(Date.now());
    if (indexLag === 0) return;
    const now = performance.now();
    if (indexLag < least) {
      least = indexLag;
      progressAt = now;
    }
    if (now - progressAt > STALLED_MS) throw new Error(`${indexLag} events are not indexed`);
    told(() => `${indexLag} events left to index`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function tell(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
