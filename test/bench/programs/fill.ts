import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import { newId } from '../../../src/core/ids.ts';
import { DEFAULT_DESTINATION_SETTINGS } from '../../../src/core/settings/destination-settings.ts';
import type { Store } from '../../../src/store/contract/store.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { MANY } from '../../fixtures/many.ts';
import { makeAccount, makeEndpoint } from '../harness/bench-account.ts';
import {
  CLAIM_NOTHING,
  capturedRequest,
  failedAttempt,
  progress,
  withStore,
} from '../harness/bench-store.ts';
import { answerWith } from '../harness/program.ts';
import { shortBodies, storedBodies } from '../harness/stored-events.ts';

/**
 * Creates a data directory: an account with an API token, an endpoint, optional
 * destinations, and events, written by the store and not over HTTP. With
 * destinations their deliveries stay due in the table.
 */

export interface FillRequest {
  dataDir: string;
  events: number;
  destinationUrls?: string[];
  /**
   * Bodies of about 100 bytes, for measurements that never read bodies, with five
   * million of them.
   */
  short?: boolean;
  /** This many of the oldest events are dead letters: the worst place for a list by status. */
  deadLetters?: number;
}

export interface Filled {
  dataDir: string;
  events: number;
  /** A bearer token of the account. */
  token: string;
  endpointId: string;
  publicToken: string;
  /** Bodies and headers, as sent over the network. */
  receivedBytes: number;
  /** Ids of events across the sequence. */
  uuids: string[];
  /** Addresses of such events. Each is in about twenty events. */
  emails: string[];
}

export interface FillOperations {
  fill(request: FillRequest): Promise<Filled>;
}

const BATCH_EVENTS = 4000;
/** Number of events whose id and address are reported. */
const SAMPLES = 60;
/** Time between two events, by their timestamps. */
const SPACING_MS = 100;
const LEASE_MS = 60_000;
const GONE = 410;

function fill(request: FillRequest): Promise<Filled> {
  const { dataDir, events, destinationUrls = [], deadLetters = 0 } = request;
  return withStore(dataDir, async (store) => {
    const token = await makeAccount(store);
    const { endpoint } = await makeEndpoint(store, destinationUrls);
    const { publicToken, key } = endpoint;
    const batches = batchesOf(publicToken, request);
    const told = progress();
    const samples = { uuids: [] as string[], emails: [] as string[] };
    let receivedBytes = 0;
    let stored = 0;
    for (const { requests, uuids, emails } of batches) {
      if (stored < deadLetters) await appendDead(store, key, requests);
      else await appendDue(store, requests);
      stored += requests.length;
      receivedBytes += requests.reduce((sum, one) => sum + bytesOf(one), 0);
      samples.uuids.push(...uuids);
      samples.emails.push(...emails);
      told(() => `${stored} of ${events} events stored`);
    }
    return {
      dataDir,
      events,
      token,
      endpointId: endpoint.id,
      publicToken,
      receivedBytes,
      ...samples,
    };
  });
}

/** The dead letters are separate batches. */
function* batchesOf(publicToken: string, { events, short = false, deadLetters = 0 }: FillRequest) {
  const sampleEvery = Math.max(1, Math.floor(events / SAMPLES));
  const startedAt = Date.now() - events * SPACING_MS;
  let batch = { requests: [] as CapturedRequest[], uuids: [] as string[], emails: [] as string[] };
  let number = 0;
  for (const { text, uuid, email } of short ? shortBodies(events) : storedBodies(events)) {
    if (number % sampleEvery === 0) {
      batch.uuids.push(uuid);
      batch.emails.push(email);
    }
    batch.requests.push(capturedRequest(publicToken, text, startedAt + number * SPACING_MS));
    number++;
    const isFull = batch.requests.length === BATCH_EVENTS || number === deadLetters;
    if (!isFull && number < events) continue;
    yield batch;
    batch = { requests: [], uuids: [], emails: [] };
  }
}

async function appendDue(store: Store, requests: CapturedRequest[]): Promise<void> {
  const { results } = await store.events.appendBatch(requests, CLAIM_NOTHING);
  if (results.some(({ stored }) => !stored)) throw new Error('an event was not stored');
}

/** Appends dead letters: deliveries to a destination that answers 410 and is then removed. */
async function appendDead(store: Store, key: number, requests: CapturedRequest[]): Promise<void> {
  const now = Date.now();
  const destination = {
    id: newId('dst', now),
    url: 'https://gone.example/',
    sealedSecret: null,
    sealedHeaders: null,
    settings: DEFAULT_DESTINATION_SETTINGS,
  };
  await store.destinations.add(key, { ...destination, createdAt: now }, MANY);
  const terms = { leaseUntil: now + LEASE_MS, limit: requests.length, skip: new Set<number>() };
  const { claimed } = await store.events.appendBatch(requests, terms);
  if (claimed.length !== requests.length) throw new Error('a delivery was not claimed');
  await store.queue.settle(
    claimed.map((claim) => failedAttempt(claim, GONE, { state: 'dead' })),
    BREAKER,
  );
  await store.destinations.remove(key, destination.id, now, false);
}

/** Size of the body and the headers, each with its colon, blank and line end. */
function bytesOf({ body, rawHeaders }: CapturedRequest): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + 2, body.length);
}

answerWith({ fill } satisfies FillOperations);
