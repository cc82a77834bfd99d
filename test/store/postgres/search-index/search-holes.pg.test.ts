import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../../src/core/model.ts';
import { PostgresAdmin } from '../../../../src/store/postgres/administration/admin.ts';
import { HAS_NO_TEXT, WATERMARK } from '../../../../src/store/postgres/search-index/event-texts.ts';
import { BESIDE, runNextMigrations } from '../../../fixtures/next-migrations.ts';
import { until } from '../../../fixtures/until.ts';
import type { World } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';
import { strictLog } from '../temp-store.ts';

const LACKING = `SELECT count(*)::int AS count FROM events e
  WHERE e.seq <= ${WATERMARK} AND ${HAS_NO_TEXT}`;
/** Texts anew, by a migration or by a version that did not know better. */
const RESET =
  "DELETE FROM event_texts; UPDATE meta SET value = '0' WHERE name = 'search_watermark'";

const found = async ({ store }: World, { key }: Endpoint) =>
  (await store.events.list({ endpointKeys: [key] }, { q: 'needle' }, { offset: 0, limit: 1 }))
    .total;

function adminOf(url: string): PostgresAdmin {
  const admin = new PostgresAdmin(url);
  onTestFinished(() => admin.close());
  return admin;
}

/** Captures and searches while `work` runs. Returns the searches that answered less. */
async function capturingDuring(work: (url: string) => Promise<void>) {
  const { database, world } = await openNodes(1);
  const endpoint = await world.endpoint();
  let captured = 0;
  const capture = async () => {
    const bodies = Array.from({ length: 50 }, () => `{"needle":"${crypto.randomUUID()}"}`);
    captured += (
      await world.events(
        endpoint,
        bodies.map((body) => ({ body })),
      )
    ).length;
  };
  for (let i = 0; i < 10; i++) await capture();
  const wrong: string[] = [];
  let isOver = false;
  const working = work(database.url).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await capture();
    const total = await found(world, endpoint);
    if (total !== captured) wrong.push(`${total} of ${captured}`);
  }
  await working;
  return { wrong, lacking: await database.query(LACKING) };
}

test('reindex beside a node that captures and indexes: no search misses an event, then or later', async () => {
  const { wrong, lacking } = await capturingDuring(async (url) => {
    const admin = adminOf(url);
    for (let i = 0; i < 3; i++) await (await admin.exclusive({ make: false })).reindex();
  });
  expect(wrong).toEqual([]);
  expect(lacking).toEqual([{ count: 0 }]);
});

test('a migration that makes the texts anew beside a node that indexes loses none', async () => {
  const texts: string[] = [];
  const { wrong, lacking } = await capturingDuring(async (url) => {
    for (let i = 0; i < 5; i++) {
      texts.push(`${BESIDE}\n${RESET}`);
      await runNextMigrations(url, texts);
    }
  });
  expect(wrong).toEqual([]);
  expect(lacking).toEqual([{ count: 0 }]);
});

test('a search notices events that the index lacks, doctor counts them, the node adds them', async () => {
  const warnings: unknown[] = [];
  const log = { ...strictLog, warn: (_: string, fields = {}) => warnings.push(fields) };
  const { database, world } = await openNodes(1, log);
  const [endpoint, other] = [await world.endpoint(), await world.endpoint()];
  const bodies = Array.from({ length: 20 }, () => ({ body: '{"needle":1}' }));
  const events = await world.events(endpoint, bodies);
  await world.events(other, bodies);
  const texts = async () => (await database.query('SELECT 1 FROM event_texts')).length;
  await until('all are indexed', async () => (await texts()) === 40);

  // Losses that no version of hookrelay may cause again.
  await database.query('DELETE FROM event_texts WHERE endpoint_key = $1 AND seq > $2', [
    endpoint.key,
    events[6]?.seq,
  ]);
  const admin = adminOf(database.url);
  const index = async () => {
    const inspected = await admin.inspect(world.now);
    return inspected.database.state === 'readable' ? inspected.database.content?.index : null;
  };
  expect(await index()).toEqual({ state: 'current', lag: 0, lacking: 13 });
  expect([await found(world, endpoint), await found(world, other)]).toEqual([20, 20]);
  await until('the node has added them', async () => (await texts()) === 40);
  expect(await index()).toEqual({ state: 'current', lag: 0, lacking: 0 });
  expect(warnings).toEqual([{ events: 13 }]);

  await database.query('TRUNCATE event_texts');
  expect(await found(world, other)).toBe(20);
  expect(await (await admin.exclusive({ make: false })).reindex()).toBe(40);
  expect(await texts()).toBe(40);
  expect(await admin.checkIntegrity(true)).toEqual([]);
});
