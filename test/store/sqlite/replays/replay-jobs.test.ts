import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { MANY } from '../../../fixtures/many.ts';
import { World } from '../../conformance/world.ts';
import { openStoreIn, strictLog, tempDir } from '../temp-store.ts';

test.each(['{"q"', '', 'null', '7', '"x"'])(
  'a job with a damaged filter, %j, delays no other job',
  async (filter) => {
    const dataDir = tempDir();
    const logged: unknown[] = [];
    const log = { ...strictLog(), error: (...line: unknown[]) => void logged.push(line) };
    const store = await openStoreIn(dataDir, log);
    const world = new World({ store, reopen: async () => store, close: () => store.close() });
    onTestFinished(() => world.close());
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const event = await world.event(endpoint);
    const start = (id: string) =>
      store.replays.startJob({ id, endpointKey: endpoint.key, filter: {}, now: world.now }, MANY);
    await start('job_1');
    const db = new Database(join(dataDir, 'hookrelay.db'));
    db.prepare('UPDATE replay_jobs SET filter = ?').run(filter);
    db.close();
    await start('job_2');
    let slices = 0;
    while (await store.replays.workOff(world.now, { events: 10, deliveries: 100 })) slices++;
    expect(slices).toBe(1);
    expect(await store.events.deliveries(event.seq, world.now)).toMatchObject([
      { trigger: 'replay' },
    ]);
    expect(logged).toMatchObject([[expect.any(String), { job: 'job_1' }]]);
  },
);

test('a cancellation that a crash interrupted ends after the restart, and nothing of it is claimed', async () => {
  const dataDir = tempDir();
  const opened = await openStoreIn(dataDir);
  let store = opened;
  const world = new World({
    store: opened,
    async reopen() {
      await store.close();
      const db = new Database(join(dataDir, 'hookrelay.db'));
      db.prepare('UPDATE replay_jobs SET state = 2').run();
      db.close();
      store = await openStoreIn(dataDir);
      return store;
    },
    close: () => store.close(),
  });
  onTestFinished(() => world.close());
  const endpoint = await world.endpoint();
  const { key } = await world.destination(endpoint);
  await world.events(endpoint, Array(1500).fill({}));
  const job = { id: 'job_1', endpointKey: endpoint.key, filter: {}, now: world.now };
  await opened.replays.startJob(job, MANY);
  const slice = { events: 1500, deliveries: MANY };
  while (await opened.replays.workOff(world.now, slice));
  await world.reopen();
  const later = await world.event(endpoint);
  expect(await world.claimDue({ limit: 9 })).toEqual([]);
  expect(await store.queue.nextDueAt(world.now, new Set())).toBeNull();
  expect(await store.replays.workOff(world.now, slice)).toMatchObject({
    unclaimed: new Set([key]),
  });
  expect(await store.replays.workOff(world.now, slice)).toMatchObject({
    unclaimed: new Set([key]),
  });
  expect(await store.replays.workOff(world.now, slice)).toBeNull();
  expect(await store.replays.job(endpoint.key, job.id)).toMatchObject({
    ...{ state: 'cancelled', queued: 1500, delivered: 0 },
  });
  const claims = await world.claimDue({ limit: 9 });
  expect(claims.map(({ eventSeq }) => eventSeq)).toEqual([later.seq]);
});
