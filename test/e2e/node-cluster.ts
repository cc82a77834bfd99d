import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { tempDir } from '../fixtures/running-server.ts';
import { type ServedProcess, serveIn } from '../fixtures/served-process.ts';

const FLAGS = [
  ...['--allow-private-destinations', '--retry-base', '50ms', '--retry-factor', '1'],
  ...['--retry-max', '1s', '--retry-attempts', '100', '--log-format', 'json'],
  ...['--attempt-timeout', '2s'],
];

/** Nodes on one database, each in its own process. */
export class NodeCluster {
  readonly nodes: ServedProcess[] = [];
  readonly #env: Record<string, string>;
  readonly #flags: readonly string[];
  /** An account's calls, each to the next node. */
  readonly entry = { url: '' };

  /** @param flags further flags of each node */
  constructor(database: string, flags: readonly string[] = []) {
    this.#flags = flags;
    this.#env = {
      HOOKRELAY_DATABASE: database,
      HOOKRELAY_SECRET_KEY: randomBytes(32).toString('hex'),
      // A node must not rely on settings that its packages soon drop.
      NODE_OPTIONS: '--throw-deprecation',
    };
  }

  async start(place: number): Promise<ServedProcess> {
    const node = await serveIn(tempDir(), [...FLAGS, ...this.#flags], this.#env);
    this.nodes[place] = node;
    this.entry.url = node.url;
    return node;
  }

  get alive(): ServedProcess[] {
    return this.nodes.filter((node) => node.exit === null);
  }
}

export interface Answered {
  /** 0 when the connection broke. */
  status: number;
  eventId: string | null;
  retryAfter: string | undefined;
}

/**
 * A minimal load balancer: each request goes to the next node that is up, even if
 * only for a moment. Counts acknowledged requests.
 */
export class RoundRobin {
  readonly acknowledged = new Set<string>();
  readonly answers: Answered[] = [];
  readonly #cluster: NodeCluster;
  readonly #path: string;
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  #turn = 0;
  #stopped = false;
  readonly #senders: Promise<void>[];

  constructor(cluster: NodeCluster, path: string, senders: number) {
    this.#cluster = cluster;
    this.#path = path;
    this.#senders = Array.from({ length: senders }, () => this.#send());
    onTestFinished(() => this.stop());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders);
    this.#agent.destroy();
  }

  async #send(): Promise<void> {
    for (let i = 0; !this.#stopped; i++) {
      const { alive } = this.#cluster;
      const node = alive[this.#turn++ % Math.max(1, alive.length)];
      if (!node) {
        await sleep(10);
        continue;
      }
      const answer = await this.#post(node.url, JSON.stringify({ i, pad: 'x'.repeat(i % 500) }));
      this.answers.push(answer);
      if (answer.eventId !== null) this.acknowledged.add(answer.eventId);
      // A refused sender retries, but not at once.
      if (answer.status !== 200) await sleep(20);
    }
  }

  #post(url: string, body: string): Promise<Answered> {
    return new Promise((resolve) => {
      const broken = () => resolve({ status: 0, eventId: null, retryAfter: undefined });
      const req = http.request(`${url}${this.#path}`, { method: 'POST', agent: this.#agent });
      req.on('error', broken);
      req.on('response', (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (chunk: string) => {
          text += chunk;
        });
        res.on('error', broken);
        res.on('aborted', broken);
        res.on('end', () => {
          const status = res.statusCode as number;
          const eventId =
            status === 200 ? (JSON.parse(text) as { event_id: string }).event_id : null;
          resolve({ status, eventId, retryAfter: res.headers['retry-after'] });
        });
      });
      req.end(body);
    });
  }
}
