import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newChannel } from '../../../src/api/channels/new-channel.ts';
import type { Channel } from '../../../src/core/channels/channel.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Issue } from '../../../src/core/issues/issue.ts';
import { Keys } from '../../../src/core/secrets/keys.ts';
import {
  createNotifications,
  type NotificationsOptions,
} from '../../../src/maintenance/channels/notifications.ts';
import type { IssueStore } from '../../../src/store/contract/issues.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ManualClock } from '../../fixtures/manual-clock.ts';
import { silentLog } from '../../fixtures/silent-log.ts';
import { until } from '../../fixtures/until.ts';
import { type MaintenanceStore, openMaintenanceStore } from '../maintenance-store.ts';

failOnLeaks();

const MOST = 20;
const keys = new Keys(randomBytes(32));

interface World {
  issues: IssueStore;
  userId: string;
  /** Opens issues at a destination of their own each, due to be told. */
  open(count: number, changes?: Partial<Issue>): Promise<void>;
  /** Changes the issue of this subject. */
  change(subject: string, changes: Partial<Issue>): Promise<void>;
  addChannel(chosen?: Partial<Parameters<typeof newChannel>[0]>): Promise<Channel>;
  start(options?: Partial<NotificationsOptions>): void;
  stored(): Promise<Issue[]>;
  /** The bodies that are queued, oldest first. */
  bodies(): Promise<{ type: string; data: { title: string; count: number; cause: string } }[]>;
  store: MaintenanceStore['store'];
}

async function world(): Promise<World> {
  const { store, addEndpoint } = await openMaintenanceStore();
  const { issues, channels, destinations, clock } = store;
  const endpoint = await addEndpoint(1);
  const { userId } = endpoint;
  const [destination] = await destinations.list(endpoint.key);
  if (!destination) throw new Error('no destination');
  const cause = { kind: 'delivery', endpointKey: endpoint.key, destinationKey: destination.key };
  let opened = 0;
  return {
    store,
    issues,
    userId,
    async open(count, changes = {}) {
      const now = clock.now();
      const added = Array.from({ length: count }, () => ({
        ...(cause as Pick<Issue, 'kind' | 'endpointKey' | 'destinationKey'>),
        id: newId('iss', now),
        userId,
        subject: `http_${500 + opened++}`,
        state: 'open' as const,
        count: 1,
        firstAt: now,
        lastAt: now,
        eventIds: [],
        streak: {},
        successes: 0,
        explanation: null,
        notified: null,
        notifiedAt: null,
        notifyAt: now,
        ...changes,
      }));
      expect(await issues.save({ added, changed: [], dropped: [] })).toBe(true);
    },
    async change(subject, changes) {
      const [issue] = await issues.byCauses([{ ...cause, kind: 'delivery', subject }]);
      const changed = [{ ...(issue as Issue), ...changes }];
      expect(await issues.save({ added: [], changed, dropped: [] })).toBe(true);
    },
    addChannel(chosen = {}) {
      const all = { kinds: null, endpointIds: null, secret: null };
      const target = 'https://ops.example.com/';
      const one = { userId, type: 'webhook', target, ...all, ...chosen } as const;
      return channels.add(newChannel(one, keys, clock.now()).channel, MOST);
    },
    start(options = {}) {
      const loop = createNotifications({
        issues,
        channels,
        destinations,
        explain: async () => null,
        baseUrl: () => 'https://hooks.example.com',
        clock,
        log: silentLog,
        onQueued() {},
        ...options,
      });
      loop.start();
      onTestFinished(() => loop.stop());
    },
    async stored() {
      const all = { userId, endpointIds: null };
      const { issues: found } = await issues.list(all, {}, { offset: 0, limit: 10 });
      return found.map(({ issue }) => issue);
    },
    async bodies() {
      const queued = await issues.queued(1000);
      return queued.map(({ body }) => JSON.parse(body));
    },
  };
}

const nothingDue = ({ issues, store }: World) =>
  until('all is told', async () => (await issues.toNotify(store.clock.now(), 1, [])).length === 0);

describe('an opening', () => {
  test('is told to each channel that hears of it, with its explanation, once', async () => {
    const here = await world();
    await here.addChannel();
    await here.addChannel({ kinds: ['delivery'] });
    await here.addChannel({ kinds: ['silence'] });
    await here.addChannel({ type: 'email', target: 'ada@example.com' });
    await here.open(1);
    const explanation = { cause: 'The disk is full.', suggestion: '1. Empty it.' };
    here.start({ explain: async () => explanation });
    await nothingDue(here);
    const bodies = await here.bodies();
    expect(bodies.map(({ type, data }) => [type, data.cause])).toEqual([
      ['issue.opened', 'The disk is full.'],
      ['issue.opened', 'The disk is full.'],
    ]);
    const [issue] = await here.stored();
    expect(issue).toMatchObject({ notified: 'open', notifyAt: null, explanation });
  });

  test('is told though nobody can explain it', async () => {
    const here = await world();
    await here.addChannel();
    await here.open(1);
    here.start({ explain: () => Promise.reject(new Error('no')) });
    await nothingDue(here);
    expect(await here.bodies()).toHaveLength(1);
  });

  test('is told while its cause counts on', async () => {
    const here = await world();
    await here.addChannel();
    await here.open(1);
    let count = 1;
    // As at an endpoint with more traffic than the telling takes time.
    const explain = async () => {
      await here.change('http_500', { count: ++count });
      return null;
    };
    here.start({ explain });
    await nothingDue(here);
    expect(await here.bodies()).toHaveLength(1);
    const [issue] = await here.stored();
    expect(issue).toMatchObject({ notified: 'open', notifyAt: null, count });
  });

  test('counts as told where there is no channel', async () => {
    const here = await world();
    await here.open(3);
    here.start();
    await nothingDue(here);
    expect(await here.bodies()).toEqual([]);
    expect(await here.issues.notifiedSince(here.userId, 0)).toBe(3);
  });

  test('is told once by two servers', async () => {
    const here = await world();
    await here.addChannel();
    // Both have seen the issues before either tells.
    const seen = Promise.withResolvers<void>();
    let looks = 0;
    const explain = async () => {
      looks += 1;
      if (looks === 2) seen.resolve();
      await seen.promise;
      return null;
    };
    await here.open(1);
    here.start({ explain });
    here.start({ explain });
    await seen.promise;
    await nothingDue(here);
    expect(await here.bodies()).toHaveLength(1);
  });
});

test('an end is told after its opening', async () => {
  const here = await world();
  await here.addChannel();
  await here.open(1);
  here.start();
  await nothingDue(here);
  await here.change('http_500', { state: 'resolved', notifyAt: here.store.clock.now() });
  await until('two messages', async () => (await here.bodies()).length === 2);
  expect((await here.bodies()).map(({ type }) => type)).toEqual(['issue.opened', 'issue.resolved']);
});

test('what a person has acknowledged meanwhile is not told', async () => {
  const here = await world();
  await here.addChannel();
  await here.open(1, { state: 'acknowledged' });
  here.start();
  await nothingDue(here);
  expect(await here.bodies()).toEqual([]);
});

test('many openings are a digest, and later ones wait for the next', async () => {
  const here = await world();
  await here.addChannel();
  await here.open(14);
  here.start();
  await nothingDue(here);
  const [digest, ...more] = await here.bodies();
  expect([digest?.type, digest?.data.count, more]).toEqual(['issue.digest', 14, []]);
  await here.open(2);
  await nothingDue(here);
  expect(await here.bodies()).toHaveLength(1);
  // They are due again soon, and told no later than when the burst is over.
  expect(await here.issues.toNotify(here.store.clock.now() + 10_000, 10, [])).toHaveLength(2);
});

test('an account that can’t be told holds no other, and is told once it can', async () => {
  const here = await world();
  const { store } = here;
  const broken = { id: 'usr_2', email: 'b@example.com', plan: 'free' } as const;
  await store.accounts.createUser({ ...broken, passwordHash: 'x', createdAt: 0 });
  await here.addChannel();
  await here.addChannel({ userId: broken.id });
  const clock = new ManualClock();
  // More than one look reads, and all of them are due first.
  await here.open(250, { userId: broken.id, notifyAt: 1 });
  await here.open(1, { notifyAt: 2 });
  let isBroken = true;
  let refused = 0;
  const channels = {
    async list(userId: string) {
      if (isBroken && userId === broken.id) throw new Error(`no channels ${++refused}`);
      return store.channels.list(userId);
    },
  };
  here.start({ channels, clock });
  await until('the other is told', async () => (await here.bodies()).length === 1);
  expect(refused).toBe(1);
  expect(await here.issues.toNotify(clock.now(), 1000, [])).toHaveLength(250);
  isBroken = false;
  clock.advance(10_000);
  await until('both are told', async () => (await here.bodies()).length > 1);
});

test('an alert is not told over its own channel', async () => {
  const here = await world();
  const dead = await here.addChannel();
  const place = { endpointKey: dead.endpointKey, destinationKey: dead.destinationKey };
  await here.open(1, { kind: 'alert', ...place });
  here.start();
  await nothingDue(here);
  expect(await here.bodies()).toEqual([]);
  await here.addChannel({ target: 'https://other.example.com/' });
  await here.open(1, { kind: 'alert', ...place, subject: 'timeout' });
  await until('one message', async () => (await here.bodies()).length === 1);
  expect((await here.bodies())[0]?.data.title).toContain('webhook (ops.example.com)');
});
