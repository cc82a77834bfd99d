import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { JOBS_KEPT } from '../../../src/core/limits.ts';
import type { Endpoint, EventSummary } from '../../../src/core/model.ts';
import type { ClaimedDelivery } from '../../../src/store/contract/claims.ts';
import type { NewReplayJob } from '../../../src/store/contract/replays.ts';
import { BREAKER } from '../../fixtures/breaker.ts';
import { MANY } from '../../fixtures/many.ts';
import { verdictOf } from '../../fixtures/verdict.ts';
import { withSettings } from './replay-targets.ts';
import { clearedWorlds, LEASE_MS, type OpenStore, only, type World } from './world.ts';

const start = (world: World, endpoint: Endpoint, patch: Partial<NewReplayJob> = {}) =>
  world.store.replays.startJob(
    {
      ...{ id: newId('job', world.now), endpointKey: endpoint.key, filter: {} },
      ...{ now: world.now, ...patch },
    },
    MANY,
  );

async function workOff(world: World, events = 10): Promise<Set<number>> {
  const unclaimed = new Set<number>();
  for (;;) {
    const worked = await world.store.replays.workOff(world.now, { events, deliveries: MANY });
    if (!worked) return unclaimed;
    for (const key of worked.unclaimed) unclaimed.add(key);
  }
}

/** An endpoint with a destination and `count` delivered events. */
async function delivered(world: World, count: number) {
  const endpoint = await world.endpoint();
  const destination = await world.destination(endpoint);
  const events = await world.events(
    endpoint,
    Array.from({ length: count }, (_, n) => ({ body: `{"n":${n}}` })),
  );
  const settlements = (await world.claimDue()).map((claim) => world.settlement(claim, 'succeeded'));
  await world.store.queue.settle(settlements, BREAKER);
  world.now += 1000;
  return { endpoint, destination, events };
}

const sumOf = ({ queued, delivered, dead }: Record<'queued' | 'delivered' | 'dead', number>) => [
  queued,
  delivered,
  dead,
];

export function replayProgressConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);
  const job = (world: World, endpoint: Endpoint, id: string) =>
    world.store.replays.job(endpoint.key, id);

  test('a job tells its progress until its last delivery has ended', async () => {
    const world = await begin();
    const { endpoint } = await delivered(world, 4);
    const { id, matching } = await start(world, endpoint);
    const shown = { id, matching: 4, createdAt: world.now };
    expect(matching).toBe(4);
    const none = { queued: 0, delivered: 0, dead: 0 };
    expect(await job(world, endpoint, id)).toEqual({ ...shown, ...none, state: 'running' });
    await world.store.replays.workOff(world.now, { events: 2, deliveries: MANY });
    expect(await job(world, endpoint, id)).toMatchObject({ queued: 2, state: 'running' });
    await workOff(world);
    expect(await job(world, endpoint, id)).toMatchObject({ queued: 4, state: 'running' });
    const [a, b, c, d] = await world.claimDue();
    if (!a || !b || !c || !d) throw new Error('four are due');
    await world.settle(a, 'succeeded');
    await world.settle(b, { retryInMs: 5 });
    await world.settle(c, 'dead');
    await world.store.deliveries.cancel(d.id);
    expect(await job(world, endpoint, id)).toEqual({
      ...{ ...shown, queued: 4, delivered: 1, dead: 1, state: 'running' },
    });
    world.now += 5;
    await world.settle(only(await world.claimDue()), 'succeeded');
    const done = { ...shown, queued: 4, delivered: 2, dead: 1, state: 'done' };
    expect(await job(world, endpoint, id)).toEqual(done);
    expect(await world.store.replays.jobs(endpoint.key, { offset: 0, limit: 9 })).toEqual({
      jobs: [done],
      total: 1,
    });
    expect(await world.store.replays.job((await world.endpoint()).key, id)).toBeNull();
    // A person brings one of its dead back to life.
    expect(await world.store.deliveries.retry(c.id, world.now)).toMatchObject({});
    expect(await job(world, endpoint, id)).toMatchObject({ dead: 0, state: 'running' });
    await world.settle(only(await world.claimDue()), 'succeeded');
    expect(await job(world, endpoint, id)).toMatchObject({ delivered: 3, state: 'done' });
  });

  test('events go from the oldest up', async () => {
    const world = await begin();
    const { endpoint, events } = await delivered(world, 5);
    await start(world, endpoint, { filter: { where: 'body.n>0' } });
    const seqs: number[] = [];
    for (let n = 0; n < 2; n++) {
      await world.store.replays.workOff(world.now, { events: 2, deliveries: MANY });
      seqs.push(...(await world.claimDue()).map(({ eventSeq }) => eventSeq));
    }
    expect(seqs).toEqual(events.slice(1).map(({ seq }) => seq));
  });

  test('deliveries that end otherwise are counted too', async () => {
    const world = await begin();
    const { endpoint, destination, events } = await delivered(world, 4);
    const { id } = await start(world, endpoint);
    await workOff(world);
    const [a, b, c] = events;
    if (!a || !b || !c) throw new Error('three');
    await world.store.replays.replay(endpoint.key, a.seq, world.now, world.terms());
    await world.store.events.remove(endpoint.key, b.id);
    const { replays } = world.store;
    expect(sumOf((await job(world, endpoint, id)) as never)).toEqual([4, 0, 0]);
    expect(await job(world, endpoint, id)).toMatchObject({ state: 'running' });
    const next = await start(world, endpoint, { filter: { method: 'POST' } });
    await workOff(world);
    // The second job supersedes what the first has open.
    expect(await job(world, endpoint, id)).toMatchObject({ queued: 4, state: 'done' });
    await world.store.destinations.discard(endpoint.key, destination.id);
    expect(await job(world, endpoint, next.id)).toMatchObject({ queued: 3, state: 'done' });
    await start(world, endpoint, { filter: { method: 'POST' }, id: 'job_third' });
    await workOff(world);
    await world.store.destinations.remove(endpoint.key, destination.id, world.now, true);
    expect(await replays.job(endpoint.key, 'job_third')).toMatchObject({ state: 'done' });
  });

  test('a cancelled job queues nothing more, and its open deliveries are cancelled', async () => {
    const world = await begin();
    const { endpoint, events } = await delivered(world, 6);
    const { id } = await start(world, endpoint);
    await world.store.replays.workOff(world.now, { events: 3, deliveries: MANY });
    const [first, second] = await world.claimDue({ limit: 2 });
    if (!first || !second) throw new Error('three are due');
    await world.settle(first, 'succeeded');
    expect(await world.store.replays.cancelJob(endpoint.key, id)).not.toBeNull();
    expect(await world.claimDue()).toEqual([]);
    expect(await workOff(world)).toEqual(new Set());
    // Its late attempt is on record and changes nothing.
    expect(await world.settle(second, 'succeeded')).toMatchObject({ eventStatus: 'received' });
    const cancelled = await job(world, endpoint, id);
    expect(cancelled).toMatchObject({ queued: 3, delivered: 1, dead: 0, state: 'cancelled' });
    const statuses = await Promise.all(events.map((event) => world.status(endpoint, event)));
    expect(statuses.filter((status) => status === 'delivered')).toHaveLength(4);
    expect(await world.store.replays.cancelJob(endpoint.key, id)).toEqual({ freed: new Set() });
    expect(await world.store.replays.cancelJob(endpoint.key, 'job_unknown')).toBeNull();
    const done = await start(world, endpoint, { filter: { method: 'PUT' } });
    await workOff(world);
    await world.store.replays.cancelJob(endpoint.key, done.id);
    expect(await job(world, endpoint, done.id)).toMatchObject({ state: 'done' });
  });

  test('a cancellation of many lets captures between its commits', async () => {
    const world = await begin();
    const { endpoint, destination } = await delivered(world, 2500);
    const { id } = await start(world, endpoint);
    await workOff(world, 2500);
    const cancelled = world.store.replays.cancelJob(endpoint.key, id);
    const captured = await Promise.all([1, 2, 3].map(() => world.event(endpoint)));
    await cancelled;
    expect(await job(world, endpoint, id)).toMatchObject({ queued: 2500, state: 'cancelled' });
    const claims = await world.claimDue();
    expect(claims.map(({ eventSeq }) => eventSeq).sort((a, b) => a - b)).toEqual(
      captured.map(({ seq }) => seq).sort((a, b) => a - b),
    );
    expect(claims[0]?.destination.key).toBe(destination.key);
  });

  test('the cancellation of a job lets the next delivery of its order keys go', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const ordered = await world.destination(endpoint, withSettings({ order_by: '*' }));
    const { version } = (await world.judgeBy(endpoint)) as { version: number };
    const verdict = {
      ...verdictOf({ version }),
      orderKeys: [{ destinationKey: ordered.key, key: '*' }],
    };
    await world.event(endpoint, { verdict });
    await world.settle(only(await world.claimDue()), 'succeeded');
    const { id } = await start(world, endpoint);
    await workOff(world);
    const behind = await world.event(endpoint, { verdict });
    const claim = only(await world.claimDue());
    expect(claim.eventSeq).not.toBe(behind.seq);
    expect(await world.store.replays.cancelJob(endpoint.key, id)).toEqual({
      freed: new Set([ordered.key]),
    });
    expect(await world.claimDue()).toEqual([]);
    await world.settle(claim, 'succeeded');
    expect(only(await world.claimDue()).eventSeq).toBe(behind.seq);
  });

  test('a delivery of a cancelled job that a person retries outlives a restart', async () => {
    const world = await begin();
    const { endpoint, events } = await delivered(world, 2);
    const { id } = await start(world, endpoint);
    await workOff(world);
    const [claim] = (await world.claimDue()) as [ClaimedDelivery];
    await world.settle(claim, 'dead');
    await world.store.replays.cancelJob(endpoint.key, id);
    await world.store.deliveries.retry(claim.id, world.now);
    await world.reopen();
    world.now += LEASE_MS;
    await workOff(world);
    const retried = only(await world.claimDue());
    expect(retried.id).toBe(claim.id);
    await world.settle(retried, 'succeeded');
    const event = events.find(({ seq }) => seq === claim.eventSeq) as EventSummary;
    expect(await world.status(endpoint, event)).toBe('delivered');
    expect(await world.store.replays.job(endpoint.key, id)).toMatchObject({ state: 'cancelled' });
  });

  test('an endpoint has a limit of jobs with open deliveries', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    await world.destination(endpoint);
    const events = await world.events(
      endpoint,
      Array.from({ length: JOBS_KEPT + 1 }, (_, i) => ({ receivedAt: world.now + i })),
    );
    const last = events.pop() as EventSummary;
    const startFor = ({ receivedAt: from }: EventSummary) =>
      start(world, endpoint, { filter: { from, to: from + 1 } });
    const ids: string[] = [];
    for (const event of events) ids.push((await startFor(event)).id);
    await workOff(world, JOBS_KEPT);
    await expect(startFor(last)).rejects.toMatchObject({ code: 'limit_reached' });
    await world.store.replays.cancelJob(endpoint.key, ids[0] as string);
    expect(await startFor(last)).toMatchObject({ matching: 1 });
  });

  test('a job goes to its destinations alone, without those disabled meanwhile', async () => {
    const world = await begin();
    const { endpoint, destination, events } = await delivered(world, 3);
    const other = await world.destination(endpoint);
    const destinationIds = [destination.id, other.id];
    const { id } = await start(world, endpoint, { destinationIds });
    await expect(start(world, endpoint, { destinationIds: ['dst_x'] })).rejects.toMatchObject({
      code: 'destination_not_found',
    });
    await world.store.destinations.update(
      ...([endpoint.key, other.id, { settings: { state: 'disabled' } }] as const),
      { at: world.now, by: null },
    );
    await expect(start(world, endpoint, { destinationIds: [other.id] })).rejects.toMatchObject({
      code: 'destination_disabled',
    });
    await workOff(world);
    const claims = await world.claimDue();
    expect(claims.map((claim) => claim.destination.key)).toEqual(events.map(() => destination.key));
    for (const claim of claims) await world.settle(claim, 'succeeded');
    expect(await job(world, endpoint, id)).toMatchObject({
      queued: 3,
      delivered: 3,
      state: 'done',
    });
  });

  test('what a filter dropped goes there when its filter of now lets it pass', async () => {
    const world = await begin();
    const endpoint = await world.endpoint();
    const kept = await world.destination(endpoint);
    const picky = await world.destination(endpoint, withSettings({ filter: 'body.n=9' }));
    const { version } = (await world.judgeBy(endpoint)) as { version: number };
    const verdict = {
      ...verdictOf({ version }),
      dropped: [{ destinationKey: picky.key, ruleVersion: 1 }],
    };
    const events = await world.events(
      endpoint,
      [1, 2, 3, 4].map((n) => ({ body: `{"n":${n}}`, verdict })),
    );
    for (const claim of await world.claimDue()) await world.settle(claim, 'succeeded');
    const filter = { filteredBy: picky.id };
    expect(await world.store.replays.count(endpoint.key, filter)).toBe(4);
    expect(await world.listed(endpoint, { ...filter, where: 'body.n>=3' })).toHaveLength(2);
    await world.store.destinations.update(
      ...([endpoint.key, picky.id, { settings: { filter: 'body.n>2' } }] as const),
      { at: world.now, by: null },
    );
    const { id, matching } = await start(world, endpoint, { filter });
    expect(matching).toBe(4);
    expect(await workOff(world, 3)).toEqual(new Set([picky.key]));
    const claims = await world.claimDue();
    expect(claims.map(({ eventSeq }) => eventSeq)).toEqual(events.slice(2).map(({ seq }) => seq));
    expect(claims.every((claim) => claim.destination.key === picky.key)).toBe(true);
    expect(await job(world, endpoint, id)).toMatchObject({ queued: 2, state: 'running' });
    expect(await world.store.replays.count(endpoint.key, filter)).toBe(2);
    expect(await world.store.replays.count(endpoint.key, { filteredBy: kept.id })).toBe(0);
    const [first] = events;
    expect(await world.status(endpoint, first as never)).toBe('delivered');
    await expect(
      start(world, endpoint, { filter: { filteredBy: 'dst_unknown' } }),
    ).rejects.toMatchObject({ code: 'destination_not_found' });
  });

  test('an endpoint keeps its newest jobs', async () => {
    const world = await begin();
    const { endpoint } = await delivered(world, 1);
    const ids: string[] = [];
    for (let n = 0; n < JOBS_KEPT + 3; n++) {
      world.now++;
      ids.push((await start(world, endpoint, { filter: { method: 'PUT' } })).id);
      await workOff(world);
    }
    const { jobs, total } = await world.store.replays.jobs(endpoint.key, { offset: 1, limit: 2 });
    expect(total).toBe(JOBS_KEPT + 1);
    expect(jobs.map(({ id }) => id)).toEqual([ids.at(-2), ids.at(-3)]);
    expect(await job(world, endpoint, ids[0] as string)).toBeNull();
    await world.store.endpoints.remove(endpoint.key, world.now);
    expect(await world.store.replays.jobs(endpoint.key, { offset: 0, limit: 2 })).toEqual({
      jobs: [],
      total: 0,
    });
  });

  test('progress outlives a restart', async () => {
    const world = await begin();
    const { endpoint } = await delivered(world, 3);
    const { id } = await start(world, endpoint);
    await workOff(world, 2);
    await world.settle(only(await world.claimDue({ limit: 1 })), 'succeeded');
    const before = await job(world, endpoint, id);
    await world.reopen();
    expect(await job(world, endpoint, id)).toEqual(before);
    world.now += 120_000;
    for (const claim of await world.claimDue()) await world.settle(claim, 'dead');
    expect(await job(world, endpoint, id)).toMatchObject({ delivered: 1, dead: 2, state: 'done' });
  });
}
