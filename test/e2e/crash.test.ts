import http from 'node:http';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { callApi, register } from '../fixtures/account.ts';
import { EventStream } from '../fixtures/event-stream.ts';
import { request } from '../fixtures/http-request.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { checkDatabase, tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';

/*
 * kill -9 under load, again and again, on one data directory. (That an answer
 * waits for its fsync, no kill can show: what the kernel has, it keeps. The
 * count of system calls is what shows that.)
 */

failOnLeaks();

const ROUNDS = 6;
const SENDERS = 12;
const SEED = 20_261_121;
const FLAGS = [
  ...['--allow-private-destinations', '--retry-base', '50ms', '--retry-factor', '1'],
  ...['--retry-max', '1s', '--retry-attempts', '50', '--log-format', 'json'],
];

/** Deterministic, so that a failure can be repeated: mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test('nothing acknowledged is lost, doubled or left undelivered', { timeout: 60_000 }, async () => {
  const next = random(SEED);
  const dataDir = tempDir();
  const target = await httpReceiver();
  /** What was sent, by its name; and which event it was acknowledged as. */
  const sent = new Map<string, Buffer>();
  const acknowledged = new Map<string, string>();
  /** What a live stream told of: it was committed, so it must be there. */
  const streamed = { event: new Set<string>(), attempt: new Set<string>() };
  let served = await serveIn(dataDir, FLAGS);
  const account = await register(served);
  const endpoint = await account.createEndpoint();
  await account.addDestination(
    endpoint,
    `${target.url}/one`,
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  );
  await account.addDestination(endpoint, `${target.url}/two`);

  for (let round = 1; round <= ROUNDS; round++) {
    const stream = new EventStream(`${served.url}/api/stream`, account.authorization);
    const load = send(`${served.url}/in/${endpoint.public_token}`, round, {
      sent,
      acknowledged,
      next,
    });
    const enough = acknowledged.size + 20 + Math.floor(next() * 250);
    await until(`${enough} are acknowledged`, () => acknowledged.size >= enough);
    // Somewhere within a commit, an attempt, an answer.
    for (let turns = Math.floor(next() * 20); turns > 0; turns--) await new Promise(setImmediate);
    served.kill('SIGKILL');
    expect(await served.exited()).toEqual({ code: null, signal: 'SIGKILL' });
    await load;
    stream.close();
    for (const kind of ['event', 'attempt'] as const) {
      for (const { data } of stream.of(kind)) streamed[kind].add(data.id);
    }
    served = await serveIn(dataDir, FLAGS);
    expect((await callApi(served, 'GET', '/readyz')).status).toBe(200);
  }

  await until(
    'all is delivered',
    async () => {
      const { text } = await callApi(served, 'GET', '/metrics');
      return /^hookrelay_deliveries_pending 0$/m.test(text);
    },
    20_000,
  );
  const authorization = { headers: { authorization: account.authorization } };
  const list = await callApi(
    served,
    'GET',
    `/api/endpoints/${endpoint.id}/events?limit=1`,
    undefined,
    authorization,
  );
  served.kill('SIGTERM');
  expect(await served.exited()).toEqual({ code: 0, signal: null });

  checkDatabase(dataDir);
  const { events, attempts, deliveries } = contentOf(dataDir);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * 20);
  expect(streamed.event.size).toBeGreaterThan(100);
  expect(streamed.attempt.size).toBeGreaterThan(100);
  expect(list.json.total).toBe(events.length);

  // Every acknowledged event, byte for byte; what wasn't acknowledged may be there, whole.
  const byId = new Map(events.map((event) => [event.id, event]));
  for (const [name, id] of acknowledged) {
    const event = byId.get(id);
    expect(event?.path, name).toBe(`/${name}`);
    expect(event?.body.equals(sent.get(name) as Buffer), name).toBe(true);
  }
  for (const { path: at, body } of events) {
    expect(body.equals(sent.get(at.slice(1)) as Buffer), at).toBe(true);
  }
  // Nothing twice: each was sent once.
  expect(new Set(events.map((event) => event.path)).size).toBe(events.length);

  // Each came to both destinations, with the same id each time.
  const came = new Set(
    target.requests.map(
      ({ target: at, headers }) => `${at.split('/')[1]} ${headers['webhook-id']}`,
    ),
  );
  for (const { id } of events) {
    expect(came.has(`one ${id}`), id).toBe(true);
    expect(came.has(`two ${id}`), id).toBe(true);
  }
  for (const { headers, body } of target.requests) {
    expect(body.equals(byId.get(headers['webhook-id'] as string)?.body as Buffer)).toBe(true);
  }

  // The record: what was told of is there, and every delivery ended well, with its attempts.
  const recorded = new Set(attempts.map(({ id }) => id));
  for (const id of streamed.attempt) expect(recorded.has(id), id).toBe(true);
  for (const id of streamed.event) expect(byId.has(id), id).toBe(true);
  expect(deliveries).toHaveLength(2 * events.length);
  const attemptsOf = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  for (const delivery of deliveries) {
    expect(delivery).toMatchObject({ state: 1, next_attempt_at: null });
    expect(attemptsOf.get(delivery.id)).toHaveLength(delivery.attempts);
  }
});

/** Captures as fast as the server answers, from many connections at once, until it is gone. */
async function send(
  captureUrl: string,
  round: number,
  {
    sent,
    acknowledged,
    next,
  }: { sent: Map<string, Buffer>; acknowledged: Map<string, string>; next: () => number },
): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: SENDERS });
  let count = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (;;) {
        const name = `${round}-${count++}`;
        const body = Buffer.alloc(Math.floor(next() ** 4 * 100_000), `${name} `);
        sent.set(name, body);
        try {
          const answer = await request(`${captureUrl}/${name}`, { method: 'POST', body, agent });
          expect(answer.status).toBe(200);
          acknowledged.set(name, answer.json.event_id);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === undefined) throw error;
          return;
        }
      }
    }),
  );
  agent.destroy();
}

function contentOf(dataDir: string) {
  const db = new Database(path.join(dataDir, 'hookrelay.db'), { readonly: true });
  try {
    return {
      events: db
        .prepare<[], { id: string; path: string; body: Buffer }>(
          'SELECT e.id, e.path, c.body FROM events e JOIN event_contents c ON c.seq = e.seq',
        )
        .all(),
      attempts: db
        .prepare<[], { id: string; delivery_id: string }>('SELECT id, delivery_id FROM attempts')
        .all(),
      deliveries: db
        .prepare<[], { id: string; state: number; attempts: number; next_attempt_at: null }>(
          'SELECT id, state, attempts, next_attempt_at FROM deliveries',
        )
        .all(),
    };
  } finally {
    db.close();
  }
}
