import { expect, test } from 'vitest';
import { expectStatus, register } from '../fixtures/account.ts';
import { request } from '../fixtures/http-request.ts';
import { tempMigratedDatabase } from '../fixtures/postgres-database.ts';
import { httpReceiver } from '../fixtures/receiver.ts';
import { until } from '../fixtures/until.ts';
import { NodeCluster } from './node-cluster.ts';

const SENT = 100;
const BODIES = { same: '{"id":"one","n":1}', other: '{"id":"one","n":2}' };

test('a key that is sent a hundred times to three nodes at once is delivered once', {
  timeout: 120_000,
}, async () => {
  const database = await tempMigratedDatabase();
  const nodes = new NodeCluster(database.url);
  for (let place = 0; place < 3; place++) await nodes.start(place);
  const receiver = await httpReceiver();
  const account = await register(nodes.entry);
  const endpoint = await account.createEndpoint();
  await account.addDestination(endpoint, `${receiver.url}/`);
  // One node answers the PATCH. All of them know it from then on.
  const path = `/api/endpoints/${endpoint.id}`;
  expectStatus(200, await account.call('PATCH', path, { dedupe: { by: ['body.id'] } }));

  const answers = await Promise.all(
    Array.from({ length: SENT }, async (_, i) => {
      const node = nodes.nodes[i % nodes.nodes.length];
      const answer = await request(`${node?.url}/in/${endpoint.public_token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: BODIES.same,
      });
      return expectStatus(200, answer);
    }),
  );
  const [first, ...further] = answers.filter(({ duplicate_of: of }) => of === undefined);
  expect(further).toEqual([]);
  const others = answers.filter(({ event_id: id }) => id !== first.event_id);
  expect(others).toHaveLength(SENT - 1);
  expect(new Set(others.map(({ duplicate_of: of }) => of))).toEqual(new Set([first.event_id]));

  const different = await request(`${nodes.entry.url}/in/${endpoint.public_token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: BODIES.other,
  });
  const { event_id: conflicting } = expectStatus(200, different);
  expect(await account.event(endpoint, conflicting)).toMatchObject({
    duplicate_of: first.event_id,
    duplicate_conflict: true,
    deliveries: [],
  });
  await until('it is delivered', async () => {
    const { total } = await account.list(endpoint, '?status=delivered&limit=1');
    return total === 1;
  });
  // No other delivery was made: none can come later.
  const open = await database.query('SELECT 1 FROM open_deliveries');
  const ended = await database.query('SELECT 1 FROM deliveries');
  expect([open.length, ended.length]).toEqual([0, 1]);
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([first.event_id]);
  const { total } = await account.list(endpoint, '?duplicates=only&limit=1');
  expect(total).toBe(SENT);
});
