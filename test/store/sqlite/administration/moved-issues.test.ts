import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MOVED_TABLES, type MovedRow } from '../../../../src/store/shared/moved-tables.ts';
import { openMoveSource } from '../../../../src/store/sqlite/administration/move-source.ts';
import { MANY } from '../../../fixtures/many.ts';
import { newChannel, newIssue, saved } from '../../conformance/issue-rows.ts';
import { World } from '../../conformance/world.ts';
import { openStoreIn, tempDir } from '../temp-store.ts';

test('a move reads issues, channels, their messages, cursors and expectations', async () => {
  const dataDir = join(tempDir(), 'data');
  const store = await openStoreIn(dataDir);
  const world = new World({ store, reopen: async () => store, close: () => store.close() });
  const endpoint = await world.endpoint({ expect_every: 5000 });
  const destination = await world.destination(endpoint);
  const issue = newIssue(world, endpoint, destination);
  await saved(world, [issue, newIssue(world, endpoint, null)]);
  const hash = Buffer.alloc(32, 3);
  const made = newChannel(world, endpoint.userId, { kinds: ['silence'], confirmHash: hash });
  const channel = await store.channels.add(made, MANY);
  const { key: channelKey, publicToken } = channel;
  const message = { id: 'msg_1', channelKey, publicToken, contentType: 'text/plain', body: 'é' };
  await store.issues.queue([{ ...message, createdAt: 7 }]);
  await store.issues.heartbeat(world.now, 1);
  await world.close();

  const source = openMoveSource(dataDir);
  try {
    const rowsOf = (name: string): MovedRow[] => {
      const table = MOVED_TABLES.find((one) => one.name === name);
      if (!table) throw new Error(`no table ${name}`);
      return source.chunk(table, null).rows;
    };
    expect(rowsOf('endpoints')).toMatchObject([
      {
        id: endpoint.id,
        settings: JSON.stringify({ name: 'orders', expect_every: 5000 }),
        expected_since: world.now,
      },
      { expected_since: null },
    ]);
    expect(rowsOf('issues')).toMatchObject([
      { id: issue.id, kind: 0, state: 1, subject: 'timeout', course: JSON.stringify(issue.streak) },
      { kind: 5, destination_key: 0 },
    ]);
    expect(rowsOf('channels')).toMatchObject([
      { id: channel.id, kinds: '["silence"]', endpoint_ids: null, confirm_hash: hash },
    ]);
    expect(rowsOf('channel_messages')).toMatchObject([{ id: 'msg_1', body: 'é', created_at: 7 }]);
    expect(rowsOf('cursors')).toEqual([
      { name: 'attempts', position: 0 },
      { name: 'conflicts', position: 0 },
      { name: 'failures', position: 0 },
      { name: 'heartbeat', position: world.now },
      { name: 'rejections', position: 0 },
      { name: 'types', position: 0 },
    ]);
    expect(
      (['issues', 'channels', 'channel_messages'] as const).map((name) => source.lastNumber(name)),
    ).toEqual([2, 1, 1]);
  } finally {
    source.close();
  }
});
