import { newId } from '../../../src/core/ids.ts';
import type { CapturedRequest } from '../../../src/core/model.ts';
import { systemClock } from '../../../src/core/runtime.ts';
import { newApiToken } from '../../../src/http/auth/api-tokens.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import type { ClaimTerms, Store } from '../../../src/store/store.ts';
import { PAYLOAD_HEADERS } from '../harness/payload.ts';
import { answerWith } from '../harness/program.ts';
import { storedBodies } from '../harness/stored-events.ts';

/**
 * Makes a data directory: an account with an API token, an endpoint, perhaps a
 * destination, and events, written by the store itself and not over HTTP. With a
 * destination their deliveries are left due in the table.
 */

export interface FillRequest {
  dataDir: string;
  events: number;
  destinationUrl: string | null;
}

export interface Filled {
  dataDir: string;
  events: number;
  /** A bearer token of the account. */
  token: string;
  endpointId: string;
  publicToken: string;
  /** Of events all over the sequence. */
  uuids: string[];
  /** The same. Each is in about twenty events. */
  emails: string[];
}

export interface FillOperations {
  fill(request: FillRequest): Promise<Filled>;
}

const BATCH_EVENTS = 1000;
/** Events whose id and address are told. */
const SAMPLES = 60;
/** Time between two events, as their times say. */
const SPACING_MS = 100;
const PROGRESS_EVERY_MS = 10_000;
/** Indexing that gets no further for so long has stopped. On a busy machine it is only slow. */
const STALLED_MS = 60_000;
const POLL_MS = 100;
/** No delivery is claimed here: the server that is started later finds them due. */
const CLAIM_NOTHING: ClaimTerms = { leaseUntil: 0, limit: 0, skip: new Set() };

async function fill({ dataDir, events, destinationUrl }: FillRequest): Promise<Filled> {
  const log = { debug() {}, info() {}, warn: tell, error: tell };
  const onFatal = (error: Error) => {
    throw error;
  };
  const store = await openSqliteStore({ dataDir, clock: systemClock, log, onFatal });
  try {
    const account = await makeAccount(store, destinationUrl);
    const samples = await append(store, account.publicToken, events);
    await untilIndexed(store);
    return { dataDir, events, ...account, ...samples };
  } finally {
    await store.close();
  }
}

async function makeAccount(store: Store, destinationUrl: string | null) {
  const now = Date.now();
  const userId = newId('usr', now);
  const user = { id: userId, email: 'bench@example.com', plan: 'pro', createdAt: now } as const;
  await store.accounts.createUser({ ...user, passwordHash: 'nobody logs in' });
  const { token, hash } = newApiToken();
  const named = { id: newId('tok', now), name: 'bench', createdAt: now, lastUsedAt: null };
  await store.accounts.createApiToken({ ...named, userId, hash });
  const endpoint = await store.endpoints.create({
    id: newId('ep', now),
    userId,
    name: 'bench',
    publicToken: newId('ep', now),
    isActive: true,
    response: null,
    createdAt: now,
  });
  if (destinationUrl !== null) {
    await store.endpoints.addDestination(endpoint.key, {
      id: newId('dst', now),
      url: destinationUrl,
      sealedSecret: null,
      createdAt: now,
    });
  }
  return { token, endpointId: endpoint.id, publicToken: endpoint.publicToken };
}

async function append(store: Store, publicToken: string, events: number) {
  const uuids: string[] = [];
  const emails: string[] = [];
  const sampleEvery = Math.max(1, Math.floor(events / SAMPLES));
  const startedAt = Date.now() - events * SPACING_MS;
  let toldAt = performance.now();
  let appended = 0;
  let batch: CapturedRequest[] = [];
  for (const { text, uuid, email } of storedBodies(events)) {
    const number = appended + batch.length;
    if (number % sampleEvery === 0) {
      uuids.push(uuid);
      emails.push(email);
    }
    batch.push(request(publicToken, text, startedAt + number * SPACING_MS));
    if (batch.length < BATCH_EVENTS && number < events - 1) continue;
    const { results } = await store.events.appendBatch(batch, CLAIM_NOTHING);
    if (results.some(({ stored }) => !stored)) throw new Error('an event was not stored');
    appended += batch.length;
    batch = [];
    if (performance.now() - toldAt > PROGRESS_EVERY_MS) {
      toldAt = performance.now();
      tell(`${appended} of ${events} events stored`);
    }
  }
  return { uuids, emails };
}

function request(publicToken: string, text: string, receivedAt: number): CapturedRequest {
  const body = Buffer.from(text);
  return {
    id: newId('evt', receivedAt),
    publicToken,
    method: 'POST',
    path: '',
    query: '',
    rawHeaders: [
      'Host',
      '127.0.0.1:8484',
      ...PAYLOAD_HEADERS.flat(),
      'Content-Length',
      String(body.length),
    ],
    body,
    contentType: 'application/json; charset=utf-8',
    sourceIp: '127.0.0.1',
    receivedAt,
    provider: 'stripe',
    eventType: null,
  };
}

async function untilIndexed(store: Store): Promise<void> {
  let toldAt = performance.now();
  let progressAt = toldAt;
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
    if (now - toldAt > PROGRESS_EVERY_MS) {
      toldAt = now;
      tell(`${indexLag} events left to index`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function tell(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

answerWith({ fill } satisfies FillOperations);
