import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { register } from '../fixtures/account.ts';
import { Balancer } from '../fixtures/balancer.ts';
import { request } from '../fixtures/http-request.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

/** Time between the starts of two requests, ms. */
const PACE_MS = 10;
/** One request in this many is larger than the fast path of captures takes. */
const LARGE_EVERY = 10;
const LARGE = JSON.stringify({ pad: 'x'.repeat(20_000) });

/** Sends captures at a steady pace until stopped, through all failures. */
class SteadySender {
  readonly acknowledged: string[] = [];
  readonly failed: string[] = [];
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #underWay = new Set<Promise<void>>();
  #stopped = false;
  readonly #sending: Promise<void>;

  constructor(captureUrl: string) {
    this.#sending = this.#send(captureUrl);
    onTestFinished(() => this.stop());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#sending;
    await Promise.all(this.#underWay);
    this.#agent.destroy();
  }

  async #send(captureUrl: string): Promise<void> {
    for (let i = 0; !this.#stopped; i++) {
      const sent = this.#post(captureUrl, i % LARGE_EVERY === 0 ? LARGE : '{}');
      this.#underWay.add(sent);
      void sent.then(() => this.#underWay.delete(sent));
      await sleep(PACE_MS);
    }
  }

  async #post(captureUrl: string, body: string): Promise<void> {
    try {
      const answer = await request(captureUrl, { method: 'POST', body, agent: this.#agent });
      if (answer.status === 200) this.acknowledged.push(answer.json.event_id);
      else this.failed.push(`${answer.status} ${answer.text}`);
    } catch (error) {
      this.failed.push(String(error));
    }
  }
}

test('no request fails while nodes behind a balancer restart one after another', {
  timeout: 300_000,
}, async () => {
  const database = await tempMigratedDatabase();
  const nodes = new NodeCluster(database.url);
  const balancer = await Balancer.start();
  for (const place of [0, 1]) balancer.use(place, (await nodes.start(place)).url);
  await until('both are ready', () => balancer.readyCount === 2);
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  const sender = new SteadySender(`${balancer.url}/in/${endpoint.public_token}`);

  const more = async () => {
    const enough = sender.acknowledged.length + 100;
    await until('captures go on', () => sender.acknowledged.length >= enough);
  };
  await more();
  for (const place of [0, 1, 0]) {
    nodes.nodes[place]?.kill('SIGTERM');
    expect(await nodes.nodes[place]?.exited()).toEqual({ code: 0, signal: null });
    balancer.use(place, (await nodes.start(place)).url);
    await until('both are ready', () => balancer.readyCount === 2);
    await more();
  }
  await sender.stop();

  expect(sender.failed).toEqual([]);
  const stored = await database.query<{ id: string }>('SELECT id FROM events');
  expect(stored.map(({ id }) => id).sort()).toEqual(sender.acknowledged.toSorted());
});
