import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../../src/core/model.ts';
import { MOST_REJECTED, MOST_REJECTED_PER_S } from '../../../../src/core/proof/rejected-limits.ts';
import type { Source } from '../../../../src/core/proof/source.ts';
import type { AppendResult } from '../../../../src/store/contract/events.ts';
import { until } from '../../../fixtures/until.ts';
import { verdictOf } from '../../../fixtures/verdict.ts';
import { only, type RequestPatch } from '../../conformance/world.ts';
import { type Nodes, openNodes } from '../nodes.ts';

/** Rejected requests have their limits over all nodes together. */

const SOURCE: Source = {
  ...{ provider: 'github', enforce: true, url: null, in: null, scheme: null },
  sealedSecrets: Buffer.of(0, 255, 39, 92),
};
const ALL = { offset: 0, limit: 10_000 };

interface Enforced extends Nodes {
  endpoint: Endpoint;
  version: number;
  refused(keep: boolean, patch?: RequestPatch): RequestPatch;
}

async function enforced(count: number): Promise<Enforced> {
  const nodes = await openNodes(count);
  const endpoint = await nodes.world.endpoint({ source: SOURCE });
  const version = (await nodes.world.judgeBy(endpoint))?.version ?? 0;
  const reason = 'signature_mismatch' as const;
  const verification = { state: 'failed', provider: 'github', secret: null, reason } as const;
  const refused = (keep: boolean, patch: RequestPatch = {}): RequestPatch => ({
    verdict: verdictOf({ version, verification, refused: { keep } }),
    ...patch,
  });
  return { ...nodes, endpoint, version, refused };
}

test('each second has its number of rejected requests, on all nodes together', async () => {
  const { stores, world, endpoint, refused } = await enforced(3);
  for (const second of [1, 2]) {
    const appended = [...stores, ...stores].flatMap((store) =>
      Array.from({ length: 10 }, () =>
        store.events.appendBatch([world.request(endpoint, refused(true))], world.terms()),
      ),
    );
    const results = (await Promise.all(appended)).flatMap((batch) => batch.results);
    expect(new Set(results.map((result) => !result.stored && result.reason))).toEqual(
      new Set(['signature_invalid']),
    );
    const { total } = await world.store.rejected.list(endpoint.key, ALL);
    expect(total).toBe(second * MOST_REJECTED_PER_S);
    world.now += 1000;
  }
});

test('nodes that add at once keep the newest, as many as the limit', async () => {
  const { stores, world, endpoint, refused } = await enforced(3);
  const start = world.now;
  const seconds = MOST_REJECTED / MOST_REJECTED_PER_S + 6;
  for (let second = 0; second < seconds; second += stores.length) {
    await Promise.all(
      stores.map((store, i) => {
        const patch = refused(true, { receivedAt: start + (second + i) * 1000 });
        const batch = Array.from({ length: MOST_REJECTED_PER_S }, () =>
          world.request(endpoint, patch),
        );
        return store.events.appendBatch(batch, world.terms());
      }),
    );
  }
  const { rejected, total } = await world.store.rejected.list(endpoint.key, ALL);
  expect(total).toBe(MOST_REJECTED);
  expect(rejected).toHaveLength(MOST_REJECTED);
  const oldest = rejected.at(-1)?.receivedAt ?? 0;
  const last = Math.ceil(seconds / stores.length) * stores.length;
  expect(oldest).toBe(start + (last - MOST_REJECTED / MOST_REJECTED_PER_S) * 1000);
});

test('captures that are not refused, and refused ones that are not kept, wait for no others', async () => {
  const { database, world, endpoint, version, refused } = await enforced(1);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  // As a node that adds a rejected request of this endpoint.
  const batch = [world.request(endpoint, refused(true))];
  await world.store.events.appendBatch(batch, world.terms());
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${0x686b05}, ${endpoint.key})`);
  const verified = { state: 'verified', provider: 'github', secret: 1, reason: null } as const;
  const verdict = verdictOf({ version, verification: verified });
  expect(await world.event(endpoint, { verdict })).toMatchObject({ verification: verified });
  const { results } = await world.capture(endpoint, [refused(false)]);
  expect(only(results)).toEqual({ stored: false, reason: 'signature_invalid' });
  // A request that is kept does wait: the lock above is the right one.
  world.now += 5000;
  const kept = world.capture(endpoint, [refused(true)]);
  await until('it waits', async () => {
    const sql = "SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'advisory'";
    return (await database.query(sql)).length > 0;
  });
  await client.query('COMMIT');
  await kept;
  expect(await world.store.rejected.list(endpoint.key, ALL)).toMatchObject({ total: 2 });
});

test('three nodes accept a rejected request at once: one event', async () => {
  const { stores, world, endpoint, version, refused } = await enforced(3);
  await world.capture(endpoint, [refused(true), refused(true)]);
  const { rejected } = await world.store.rejected.list(endpoint.key, ALL);
  const ids = rejected.map(({ id }) => id);
  const results: AppendResult[] = [];
  await Promise.all(
    [...stores, ...stores].map(async (store, i) => {
      const order = i % 2 ? ids : ids.toReversed();
      const batch = order.map((accepts) =>
        world.request(endpoint, { accepts, verdict: verdictOf({ version }) }),
      );
      results.push(...(await store.events.appendBatch(batch, world.terms())).results);
    }),
  );
  expect(results.filter(({ stored }) => stored)).toHaveLength(2);
  const reasons = results.flatMap((result) => (result.stored ? [] : [result.reason]));
  expect(reasons).toEqual(Array(10).fill('rejected_not_found'));
  expect(await world.listed(endpoint)).toHaveLength(2);
  expect(await world.store.rejected.list(endpoint.key, ALL)).toMatchObject({ total: 0 });
});
