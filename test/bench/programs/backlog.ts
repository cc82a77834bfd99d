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

function claim(store: Store): Promise<ClaimedDelivery[]> {
  const now = Date.now();
  const terms = { leaseUntil: now + LEASE_MS, limit: BATCH, perDestination: BATCH };
  return store.queue.claimDue(now, { ...terms, skip: new Set() });
}

function failedOnce(claimed: ClaimedDelivery, share: number): Settlement {
  const now = Date.now();
  const nextAttemptAt = now + FIRST_RETRY_MS + Math.floor(share * RETRIES_SPREAD_MS);
  return failedAttempt(claimed, BUSY, { state: 'pending', nextAttemptAt });
}

answerWith({ queue, postpone } satisfies BacklogOperations);
