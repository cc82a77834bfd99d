import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newWorld } from '../../conformance/world.ts';
import { openThreadIn, openThreadInTempDir, tempDir } from '../temp-store.ts';

/* Tests of messages between threads. The conformance suite tests the rest. */

test('a failed open rejects with the same error as without a thread', async () => {
  const dataDir = tempDir();
  const store = await openThreadIn(dataDir);
  await expect(openThreadIn(dataDir)).rejects.toMatchObject({
    name: 'HookrelayError',
    code: 'data_dir_locked',
    hint: expect.stringContaining('--data-dir'),
  });
  await store.close();
  writeFileSync(join(dataDir, 'hookrelay.db'), 'not a database at all');
  await expect(openThreadIn(dataDir)).rejects.toMatchObject({ code: 'database_unusable' });
});

test('bodies arrive unchanged, small ones together, a large one without a copy', async () => {
  const world = await newWorld(openThreadInTempDir);
  const bodies = [
    Buffer.alloc(0),
    Buffer.from([0xff, 0, 0xfe]),
    Buffer.from('x'),
    Buffer.alloc(5_000_000, 'large '),
  ];
  const events = await world.events(
    await world.endpoint(),
    bodies.map((body) => ({ body })),
  );
  expect(events.map(({ size }) => size)).toEqual(bodies.map(({ length }) => length));
  for (const [i, { seq }] of events.entries()) {
    const content = await world.store.events.content(seq);
    expect(Buffer.isBuffer(content?.body)).toBe(true);
    expect(content?.body.equals(bodies[i] as Buffer)).toBe(true);
  }
});

test('an aborted call rejects at once and leaves nothing behind', async () => {
  const world = await newWorld(openThreadInTempDir);
  const { store } = world;
  const endpoint = await world.endpoint();
  const leaving = new AbortController();
  const listed = store.events.list(
    { endpointKeys: [endpoint.key] },
    { q: 'absent' },
    { offset: 0, limit: 1 },
    leaving.signal,
  );
  leaving.abort(new Error('gone'));
  await expect(listed).rejects.toThrow('gone');
  const never = AbortSignal.abort(new Error('gone before'));
  const window = { offset: 0, limit: 1 };
  await expect(
    store.events.list({ endpointKeys: [endpoint.key] }, {}, window, never),
  ).rejects.toThrow('gone before');
  await expect(
    store.events.list({ endpointKeys: [endpoint.key] }, {}, window),
  ).resolves.toMatchObject({ total: 0 });
});

test('an operation’s own error keeps its code', async () => {
  const { store } = await newWorld(openThreadInTempDir);
  const user = { id: 'usr_1', email: 'a@example.com', plan: 'free', passwordHash: 'x' } as const;
  await store.accounts.createUser({ ...user, createdAt: 0 });
  await expect(
    store.accounts.createUser({ ...user, id: 'usr_2', createdAt: 0 }),
  ).rejects.toMatchObject({ name: 'HookrelayError', code: 'email_taken' });
});

test('a closed store rejects calls', async () => {
  const store = await openThreadIn(tempDir());
  await store.close();
  await expect(store.checkWritable()).rejects.toMatchObject({ code: 'not_ready' });
});
