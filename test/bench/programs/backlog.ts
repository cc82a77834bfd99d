import { MOST_COUNTED } from '../../../src/core/flow/waiting.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { Settlement } from '../../../src/store/contract/queue.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { makeEndpoint } from '../harness/bench-account.ts';
import {
  CLAIM_NOTHING,
  capturedRequest,
  failedAttempt,
  withStore,
} from '../harness/bench-store.ts';
import { answerWith } from '../harness/program.ts';
import { shortBodies } from '../harness/stored-events.ts';

/** Adds deliveries to a data directory that no server has open: due ones, or retries to come. */

export interface BacklogOperations {
  /** Events of a separate endpoint, each with a due delivery. */
  queue(request: { dataDir: string; deliveries: number; destinationUrl: string }): Promise<void>;
  /** Lets all due deliveries fail once, with retries in hours. Returns their number. */
  postpone(request: { dataDir: string }): Promise<number>;
  /**
   * Opens the breaker of the only destination, to which this many deliveries are due: the
   * first ones fail, over the time that the breaker takes. The first probe is due at once.
   */
  openBreaker(request: { dataDir: string; deliveries: number }): Promise<void>;
}

const BATCH = 4000;
const BUSY = 503;
const LEASE_MS = 60_000;
/** Retries are spread over this time, which begins in two hours. */
const FIRST_RETRY_MS = 2 * 3_600_000;
const RETRIES_SPREAD_MS = 3_600_000;

function queue({
  dataDir,
  deliveries,
  destinationUrl,
}: {
  dataDir: string;
  deliveries: number;
  destinationUrl: string;
}): Promise<void> {
  return withStore(dataDir, async (store) => {
    const { endpoint } = await makeEndpoint(store, [destinationUrl]);
    const now = Date.now();
    const requests = Array.from(shortBodies(deliveries), ({ text }) =>
      capturedRequest(endpoint.publicToken, text, now),
    );
    while (requests.length > 0) {
      await store.events.appendBatch(requests.splice(0, BATCH), CLAIM_NOTHING);
    }
    const { due } = await store.stats(Date.now());
    if (due !== deliveries) throw new Error(`${due} deliveries are due, not ${deliveries}`);
  });
}

function postpone({ dataDir }: { dataDir: string }): Promise<number> {
  return withStore(dataDir, async (store) => {
    let postponed = 0;
    for (;;) {
      const claimed = await claim(store);
      if (claimed.length === 0) break;
      const settlements = claimed.map((one, i) => failedOnce(one, i / claimed.length));
      await store.queue.settle(settlements, BREAKER);
      postponed += claimed.length;
    }
    const { pending, due } = await store.stats(Date.now());
    if (pending !== postponed || due > 0) throw new Error(`${due} of ${pending} are due still`);
    return postponed;
  });
}

function openBreaker({
  dataDir,
  deliveries,
}: {
  dataDir: string;
  deliveries: number;
}): Promise<void> {
  return withStore(dataDir, async (store) => {
    const { failures, afterMs, probeMs } = BREAKER;
    const claimed = await claim(store, failures);
    const now = Date.now();
    const firstAt = now - probeMs - afterMs;
    for (const [i, one] of claimed.entries()) {
      const attemptedAt = firstAt + Math.ceil((i / (failures - 1)) * afterMs);
      const failed = failedAttempt(one, BUSY, { state: 'pending', nextAttemptAt: now });
      const attempt = { ...failed.attempt, attemptedAt };
      await store.queue.settle([{ ...failed, attempt, reach: 'failed' }], BREAKER);
    }
    await checkHeld(store, claimed[0], deliveries);
  });
}

/** Throws unless the breaker is open and all deliveries wait. */
async function checkHeld(
  store: Store,
  claimed: ClaimedDelivery | undefined,
  deliveries: number,
): Promise<void> {
  if (!claimed) throw new Error('nothing was due');
  const { endpointKey, destination } = claimed;
  const [condition] = await store.destinations.conditions(endpointKey, destination.id);
  if (!condition?.flow.breaker) {
    throw new Error(`the breaker is not open: ${JSON.stringify(condition)}`);
  }
  const { count, atLeast } = condition.waiting;
  if (count !== Math.min(deliveries, MOST_COUNTED) || atLeast !== deliveries > MOST_COUNTED) {
    throw new Error(`${count} deliveries wait, not ${deliveries}`);
  }
  const { pending } = await store.stats(Date.now());
  if (pending !== deliveries) throw new Error(`${pending} deliveries are open, not ${deliveries}`);
}

function claim(store: Store, most = BATCH): Promise<ClaimedDelivery[]> {
  const now = Date.now();
  const terms = { leaseUntil: now + LEASE_MS, limit: most, perDestination: most };
  return store.queue.claimDue(now, { ...terms, skip: new Set() });
}

function failedOnce(claimed: ClaimedDelivery, share: number): Settlement {
  const now = Date.now();
  const nextAttemptAt = now + FIRST_RETRY_MS + Math.floor(share * RETRIES_SPREAD_MS);
  return failedAttempt(claimed, BUSY, { state: 'pending', nextAttemptAt });
}

answerWith({ queue, postpone, openBreaker } satisfies BacklogOperations);
