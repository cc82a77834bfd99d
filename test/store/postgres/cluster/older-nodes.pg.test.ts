import pg from 'pg';
import { expect, test } from 'vitest';
import { MANY } from '../../../fixtures/many.ts';
import { until } from '../../../fixtures/until.ts';
import { newChannel } from '../../conformance/issue-rows.ts';
import { openNodes } from '../nodes.ts';

test('URLs of Slack wait until no node of an earlier version is there: it could not open them', async () => {
  const { database, world } = await openNodes(2);
  const { id: userId } = await world.user();
  const { channels } = world.store;
  const { id } = await channels.add(newChannel(world, userId, { type: 'slack' }), MANY);
  for (const name of ['hookrelay laptop-7728114f', 'hookrelay laptop-7728114f 13']) {
    const older = new pg.Client({ connectionString: database.url, application_name: name });
    await older.connect();
    expect(await channels.unsealed(10)).toEqual([]);
    await older.end();
    const isThere = 'SELECT 1 FROM pg_stat_activity WHERE application_name = $1';
    await until('it is gone', async () => (await database.query(isThere, [name])).length === 0);
    const { destinationId } = (await channels.find(userId, id)) ?? {};
    expect(await channels.unsealed(10)).toMatchObject([{ destinationId }]);
  }
});
