import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Account, capture, register } from '../fixtures/account.ts';
import { EventStream } from '../fixtures/event-stream.ts';
import { binaries, PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { type TestDatabase, tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

/*
 * A database whose sequence was set back assigns its numbers again. A stream that
 * continued at its cursor would then skip as many events as were lost, so the
 * server must report it.
 */

/** A node, and an endpoint with a stream. */
class Followed {
  readonly nodes: NodeCluster;
  account!: Account;
  path = '';

  constructor(database: string) {
    this.nodes = new NodeCluster(database);
  }

  static async on(database: string): Promise<Followed> {
    const followed = new Followed(database);
    await followed.nodes.start(0);
    followed.account = await register(followed.nodes.entry);
    const endpoint = await followed.account.createEndpoint();
    followed.path = `/in/${endpoint.public_token}`;
    return followed;
  }

  async stop(): Promise<void> {
    const [node] = this.nodes.nodes;
    // SIGTERM lets the node drain for seconds.
    node?.kill('SIGKILL');
    await node?.exited();
  }

  async capture(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push(await capture(this.nodes.entry.url + this.path));
    return ids;
  }

  follow(cursor?: string): EventStream {
    const { url } = this.nodes.entry;
    const stream = new EventStream(`${url}/api/stream`, this.account.authorization, cursor);
    onTestFinished(() => stream.close());
    return stream;
  }

  /** Cursor of a stream that has read all of these. */
  async cursorAfter(ids: readonly string[], stream: EventStream): Promise<string> {
    await until('it has everything', () => stream.of('event').length >= ids.length);
    expect(stream.of('event').map(({ data }) => data.id)).toEqual(ids);
    return stream.lastId;
  }
}

function dump({ url }: TestDatabase): () => void {
  const file = join(tempDir(), 'hookrelay.dump');
  const program = (name: string) => join(binaries(), name);
  execFileSync(program('pg_dump'), ['--format=custom', `--file=${file}`, url]);
  return () => {
    execFileSync(program('pg_restore'), ['--clean', '--if-exists', `--dbname=${url}`, file]);
  };
}

test.each(['stopped', 'running'])(
  'streams start over after pg_restore, with the node %s',
  async (state) => {
    const database = await tempMigratedDatabase();
    const followed = await Followed.on(database.url);
    const stream = followed.follow();
    await stream.received('ready');
    const kept = await followed.capture(5);
    const restore = dump(database);
    const lost = await followed.capture(5);
    const cursor = await followed.cursorAfter([...kept, ...lost], stream);

    if (state === 'stopped') await followed.stop();
    restore();
    if (state === 'stopped') await followed.nodes.start(0);
    else await until('the stream ends', () => stream.ended);
    // More events than were lost: by its number alone the cursor would be valid.
    await followed.capture(8);
    const resumed = followed.follow(cursor);
    await until('it begins', () => resumed.frames.length > 0);
    expect(resumed.frames[0]).toMatchObject({ event: 'reset' });
    const told = await followed.capture(2);
    await followed.cursorAfter(told, resumed);
    // The last cursor is valid from now on.
    const again = followed.follow(resumed.lastId);
    await until('it begins', () => again.frames.length > 0);
    expect(again.frames[0]).toMatchObject({ event: 'ready' });
  },
);

test('streams start over after a disk was set back under a running node, and only then', {
  timeout: 120_000,
}, async () => {
  const cluster = await PostgresCluster.start();
  onTestFinished(() => cluster.destroy());
  await cluster.query('CREATE DATABASE hookrelay');
  const followed = await Followed.on(cluster.url('hookrelay'));
  const isReady = () =>
    until('it can write again', async () => {
      const { status } = await fetch(`${followed.nodes.entry.url}/readyz`);
      return status === 200;
    });
  const stream = followed.follow();
  await stream.received('ready');
  const kept = await followed.capture(5);
  const before = await followed.cursorAfter(kept, stream);

  await cluster.stopServer();
  cluster.copyData();
  await cluster.startServer();
  await isReady();
  // A restart alone loses nothing, and the stream continues.
  const second = followed.follow(before);
  // More numbers than PostgreSQL logs of a sequence ahead.
  const lost = await followed.capture(40);
  const cursor = await followed.cursorAfter(lost, second);
  expect(second.of('reset')).toEqual([]);

  await cluster.stopServer('immediate');
  cluster.putBack();
  await cluster.startServer();
  await isReady();
  await followed.capture(45);
  const third = followed.follow(cursor);
  await until('it begins', () => third.frames.length > 0);
  expect(third.frames[0]).toMatchObject({ event: 'reset' });
  // A cursor from before the loss continues and reads everything.
  const fourth = followed.follow(before);
  await fourth.received('event', 45);
  expect(fourth.of('reset')).toEqual([]);
});
