import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Account, register } from '../fixtures/account.ts';
import { EventStream, type Frame } from '../fixtures/event-stream.ts';
import { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster, RoundRobin } from './node-cluster.ts';

/*
 * Three nodes on one PostgreSQL behind a round-robin balancer, killed with -9 at
 * random; and a PostgreSQL that goes away under load.
 */

/** Kills in a run. HOOKRELAY_TEST_KILLS=50 makes a long one. */
const KILLS = Number(process.env.HOOKRELAY_TEST_KILLS ?? 3);
const SENDERS = 8;
/** Other nodes take a dead node's attempts after the attempt's timeout and a minute. */
const TAKEOVER_MS = 120_000;

/** Follows a stream from node to node by its cursor, through all failures. */
class Follower {
  readonly frames: Frame[] = [];
  readonly #nodes: NodeCluster;
  readonly #account: Account;
  #stream: EventStream | undefined;
  #stopped = false;
  readonly #following: Promise<void>;

  constructor(nodes: NodeCluster, account: Account) {
    this.#nodes = nodes;
    this.#account = account;
    this.#following = this.#follow();
    onTestFinished(() => this.stop());
  }

  idsOf(event: string): string[] {
    return this.frames.filter((frame) => frame.event === event).map(({ data }) => data.id);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.close();
    await this.#following;
  }

  /** Moves from this node to another, as a client with a lost connection does. */
  move(): void {
    this.#stream?.close();
  }

  async #follow(): Promise<void> {
    let cursor: string | undefined;
    for (let turn = 0; !this.#stopped; turn++) {
      const { alive } = this.#nodes;
      const node = alive[turn % Math.max(1, alive.length)];
      if (!node) {
        await sleep(10);
        continue;
      }
      const stream = new EventStream(`${node.url}/api/stream`, this.#account.authorization, cursor);
      this.#stream = stream;
      let taken = 0;
      const take = () => {
        for (const frame of stream.frames.slice(taken)) {
          this.frames.push(frame);
          cursor = frame.id;
        }
        taken = stream.frames.length;
      };
      while (!stream.ended && !this.#stopped) {
        await sleep(5);
        take();
      }
      take();
      stream.close();
    }
  }
}

test('nothing is lost when nodes are killed', { timeout: 300_000 }, async () => {
  const database = await tempMigratedDatabase();
  const target = await httpReceiver();
  const nodes = new NodeCluster(database.url);
  for (let place = 0; place < 3; place++) await nodes.start(place);
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${target.url}/hook`);
  const follower = new Follower(nodes, account);
  await until('it follows', () => follower.frames.length > 0);

  const load = new RoundRobin(nodes, `/in/${endpoint.public_token}`, SENDERS);
  const kills: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = load.acknowledged.size + 100 + Math.floor(Math.random() * 200);
    await until(`${enough} are acknowledged`, () => load.acknowledged.size >= enough, 60_000);
    const place = Math.floor(Math.random() * 3);
    const victim = nodes.nodes[place];
    victim?.kill('SIGKILL');
    kills.push(Date.now());
    await victim?.exited();
    follower.move();
    await nodes.start(place);
  }
  const enough = load.acknowledged.size + 200;
  await until('they go on', () => load.acknowledged.size >= enough, 60_000);
  await load.stop();

  // Every acknowledged event is there, and every delivery is made in time.
  const stored = await database.query<{ id: string }>('SELECT id FROM events ORDER BY seq');
  const ids = stored.map(({ id }) => id);
  expect([...load.acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
  const open = async () => (await database.query('SELECT 1 FROM open_deliveries')).length === 0;
  await until('every delivery is made', open, TAKEOVER_MS);
  const deliveries = Map.groupBy(target.requests, ({ headers }) =>
    String(headers['x-hookrelay-event']),
  );
  expect(ids.filter((id) => !deliveries.has(id))).toEqual([]);

  // Only deliveries of a killed node come twice: a node died between the two.
  const twice = [...deliveries.values()].filter((requests) => requests.length > 1);
  for (const requests of twice) {
    const [first, ...again] = requests.map(({ at }) => at);
    for (const at of again) {
      expect(kills.some((killed) => killed >= (first as number) - 50 && killed <= at)).toBe(true);
    }
  }

  // The stream had every event and every attempt once, in order of sequence.
  const attempts = await database.query<{ id: string }>('SELECT id FROM attempts ORDER BY seq');
  await until('the stream has everything', () => {
    return (
      follower.idsOf('event').length >= ids.length &&
      follower.idsOf('attempt').length >= attempts.length
    );
  });
  expect(follower.idsOf('event')).toEqual(ids);
  expect(follower.idsOf('attempt')).toEqual(attempts.map(({ id }) => id));
  expect(follower.frames.filter(({ event }) => event === 'reset')).toEqual([]);

  // The counters agree with the rows.
  const wrong = await database.query(`
    SELECT * FROM (SELECT status, count(*) AS events FROM events GROUP BY 1) e
    FULL JOIN (SELECT status, sum(count) AS counted FROM event_counts GROUP BY 1) c USING (status)
    WHERE coalesce(events, 0) <> coalesce(counted, 0)`);
  expect(wrong).toEqual([]);
});

test('nothing is lost when PostgreSQL goes away and comes back', { timeout: 300_000 }, async () => {
  const cluster = await PostgresCluster.start();
  onTestFinished(() => cluster.destroy());
  await cluster.query('CREATE DATABASE hookrelay');
  const target = await httpReceiver();
  const nodes = new NodeCluster(cluster.url('hookrelay'));
  for (let place = 0; place < 2; place++) await nodes.start(place);
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${target.url}/hook`);
  const follower = new Follower(nodes, account);
  await until('it follows', () => follower.frames.length > 0);
  const load = new RoundRobin(nodes, `/in/${endpoint.public_token}`, SENDERS);

  for (const mode of ['immediate', 'fast'] as const) {
    const before = load.acknowledged.size;
    await until('it runs', () => load.acknowledged.size >= before + 150, 60_000);
    await cluster.stopServer(mode);
    const answered = load.answers.length;
    await until('senders get that answer', () => load.answers.length >= answered + 100, 60_000);
    const meanwhile = load.answers.slice(answered + 2 * SENDERS);
    for (const answer of meanwhile) {
      expect(answer).toMatchObject({ status: 503, eventId: null });
      expect(Number(answer.retryAfter)).toBeGreaterThan(0);
    }
    for (const { url } of nodes.nodes) {
      expect((await fetch(`${url}/readyz`)).status).toBe(503);
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('hookrelay_store_up 0');
    }
    await cluster.startServer();
  }
  const before = load.acknowledged.size;
  await until('it goes on by itself', () => load.acknowledged.size >= before + 200, 60_000);
  await load.stop();
  expect(nodes.alive).toHaveLength(2);

  const query = <T extends { id: string }>(sql: string) => cluster.query<T>(sql, [], 'hookrelay');
  const ids = (await query('SELECT id FROM events ORDER BY seq')).map(({ id }) => id);
  expect([...load.acknowledged].filter((id) => !ids.includes(id))).toEqual([]);
  await until(
    'every delivery is made',
    async () => (await query('SELECT id FROM open_deliveries')).length === 0,
    TAKEOVER_MS,
  );
  const delivered = new Set(target.requests.map(({ headers }) => headers['x-hookrelay-event']));
  expect(ids.filter((id) => !delivered.has(id))).toEqual([]);
  await until('the stream has everything', () => follower.idsOf('event').length >= ids.length);
  expect(follower.idsOf('event')).toEqual(ids);
});
