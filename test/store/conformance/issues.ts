import { describe, expect, test } from 'vitest';
import { ISSUE_KIND, ISSUE_STATES, type Issue } from '../../../src/core/issues/issue.ts';
import type { IssueFilter, IssueScope } from '../../../src/store/contract/issues.ts';
import { fold, newIssue, saved, scopeOf } from './issue-rows.ts';
import { clearedWorlds, newWorld, type OpenStore, only, type World } from './world.ts';

const ALL = { offset: 0, limit: 1000 };

async function place(world: World) {
  const endpoint = await world.endpoint({ name: 'orders' });
  const destination = await world.destination(endpoint);
  return { endpoint, destination };
}

const idsOf = async (world: World, scope: IssueScope, filter: IssueFilter = {}, window = ALL) => {
  const { issues } = await world.store.issues.list(scope, filter, window);
  return issues.map(({ issue }) => issue.id);
};

export function issueConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);

  describe('a list', () => {
    test('an issue is found as it was saved, with what names it, also after a restart', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const issue = newIssue(world, endpoint, destination, {
        explanation: { cause: 'It is “down”.', suggestion: 'Start it.' },
        ...{ notified: 'open', notifiedAt: 7, notifyAt: 9, successes: 2 },
      });
      await saved(world, [issue, newIssue(world, endpoint, null)]);
      const check = async () => {
        const found = await world.store.issues.find(scopeOf(endpoint), issue.id);
        expect(found).toEqual({
          issue: { ...issue, key: expect.any(Number), version: 1 },
          endpoint: { id: endpoint.id, name: 'orders' },
          destination: { id: destination.id, url: destination.url, name: null },
          channel: null,
        });
        const page = await world.store.issues.list(scopeOf(endpoint), {}, ALL);
        expect(page.total).toBe(2);
        expect(page.issues).toContainEqual(found);
        expect(page.issues.find(({ issue: one }) => one.kind === 'conflict')).toMatchObject({
          destination: null,
          channel: null,
        });
      };
      await check();
      await world.reopen();
      await check();
    });

    test('every kind and every state is read as it was stored', async () => {
      const world = await begin();
      const { endpoint } = await place(world);
      const added = ISSUE_KIND.names.flatMap((kind) =>
        ([...ISSUE_STATES, 'forming'] as const).map((state) =>
          newIssue(world, endpoint, null, { kind, state, subject: state }),
        ),
      );
      const stored = await saved(world, added);
      expect(stored.map(({ kind, state }) => [kind, state])).toEqual(
        added.map(({ kind, state }) => [kind, state]),
      );
    });

    test('the last changed comes first, without forming ones, in pages with the whole number', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const other = await place(world);
      const [oldest, forming, newest, twin] = await saved(world, [
        newIssue(world, endpoint, destination, { lastAt: 1 }),
        newIssue(world, endpoint, destination, { lastAt: 9, subject: 'b', state: 'forming' }),
        newIssue(world, endpoint, null, { lastAt: 5 }),
        newIssue(world, endpoint, destination, { lastAt: 5, subject: 'c' }),
        newIssue(world, other.endpoint, null, { lastAt: 7 }),
      ]);
      const scope = scopeOf(endpoint);
      const ids = [twin?.id, newest?.id, oldest?.id];
      expect(await idsOf(world, scope)).toEqual(ids);
      expect(await idsOf(world, scope, {}, { offset: 1, limit: 1 })).toEqual([ids[1]]);
      const past = await world.store.issues.list(scope, {}, { offset: 3, limit: 5 });
      expect(past).toEqual({ issues: [], total: 3 });
      expect(await world.store.issues.find(scope, forming?.id ?? '')).toBeNull();
      // Of all accounts.
      const { openIssues } = await world.store.stats(world.now);
      expect(Object.values(openIssues).reduce((sum, count) => sum + count, 0)).toBe(4);
    });

    test('filters: state, kind, endpoint', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const second = await world.endpoint({ userId: endpoint.userId });
      const [timeout, conflict, ignored] = await saved(world, [
        newIssue(world, endpoint, destination, { lastAt: 3 }),
        newIssue(world, endpoint, null, { lastAt: 2, state: 'resolved' }),
        newIssue(world, second, null, { lastAt: 1, state: 'ignored' }),
      ]);
      const scope = scopeOf(endpoint);
      expect(await idsOf(world, scope, { state: 'open' })).toEqual([timeout?.id]);
      expect(await idsOf(world, scope, { state: 'acknowledged' })).toEqual([]);
      expect(await idsOf(world, scope, { kind: 'conflict' })).toEqual([conflict?.id, ignored?.id]);
      expect(await idsOf(world, scope, { endpointId: second.id })).toEqual([ignored?.id]);
      expect(
        await idsOf(world, scope, { endpointId: endpoint.id, kind: 'conflict', state: 'resolved' }),
      ).toEqual([conflict?.id]);
    });

    test('a scope ends at its account and at its endpoints', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const second = await world.endpoint({ userId: endpoint.userId });
      const stranger = await world.user();
      const [issue, other] = await saved(world, [
        newIssue(world, endpoint, destination),
        newIssue(world, second, null),
      ]);
      const { issues } = world.store;
      const limited = scopeOf(endpoint, [second.id]);
      const foreign = { userId: stranger.id, endpointIds: null };
      expect(await idsOf(world, limited)).toEqual([other?.id]);
      expect(await idsOf(world, scopeOf(endpoint, []))).toEqual([]);
      expect(await idsOf(world, foreign)).toEqual([]);
      for (const scope of [limited, foreign]) {
        const change = { version: 1, state: 'ignored', lastAt: 1, notifyAt: null } as const;
        expect(await issues.find(scope, issue?.id ?? '')).toBeNull();
        expect(await issues.setState(scope, issue?.id ?? '', change)).toBeNull();
      }
      expect(await issues.find(scopeOf(endpoint), issue?.id ?? '')).toMatchObject({
        issue: { state: 'open' },
      });
    });
  });

  test('a person’s change is based on a version and grows it', async () => {
    const world = await begin();
    const { endpoint, destination } = await place(world);
    const issue = only(await saved(world, [newIssue(world, endpoint, destination)]));
    const { issues } = world.store;
    const scope = scopeOf(endpoint);
    const ignored = await issues.setState(scope, issue.id, {
      ...{ version: 1, state: 'ignored', lastAt: issue.lastAt, notifyAt: null },
    });
    expect(ignored).toMatchObject({
      issue: { ...issue, state: 'ignored', version: 2 },
      endpoint: { id: endpoint.id },
    });
    const late = { version: 1, state: 'resolved', lastAt: 77, notifyAt: 5 } as const;
    expect(await issues.setState(scope, issue.id, late)).toBe('changed');
    expect(await issues.setState(scope, issue.id, { ...late, version: 2 })).toMatchObject({
      issue: { state: 'resolved', lastAt: 77, notifyAt: 5, version: 3 },
    });
    expect(await issues.setState(scope, 'iss_none', late)).toBeNull();
  });

  describe('a fold', () => {
    test('is saved whole, with its cursor, also over a restart', async () => {
      const world = await newWorld(open);
      const { endpoint, destination } = await place(world);
      const { issues } = world.store;
      expect([await issues.cursor('attempts'), await issues.cursor('conflicts')]).toEqual([0, 0]);
      const [kept, gone] = await saved(world, [
        newIssue(world, endpoint, destination),
        newIssue(world, endpoint, destination, { subject: 'b', state: 'forming' }),
      ]);
      if (!kept || !gone) throw new Error('two');
      const changed: Issue = {
        ...{ ...kept, state: 'acknowledged', count: 9, firstAt: 1, lastAt: 2, eventIds: [] },
        ...{ streak: {}, successes: 4, notified: 'open', notifiedAt: 3, notifyAt: 4 },
        explanation: { cause: 'a', suggestion: 'b' },
      };
      const added = newIssue(world, endpoint, null);
      const cursor = { name: 'attempts', before: 0, after: 17 } as const;
      expect(
        await issues.save({ cursor, added: [added], changed: [changed], dropped: [gone] }),
      ).toBe(true);
      await world.reopen();
      expect(await world.store.issues.cursor('attempts')).toBe(17);
      expect(await world.store.issues.cursor('conflicts')).toBe(0);
      const found = await world.store.issues.byCauses([kept, gone, added]);
      expect(found).toHaveLength(2);
      expect(found).toContainEqual({ ...changed, version: 2 });
      expect(found).toContainEqual({ ...added, version: 1, key: expect.any(Number) });
    });

    test('one on an older basis changes nothing', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const { issues } = world.store;
      const [one, two] = await saved(world, [
        newIssue(world, endpoint, destination),
        newIssue(world, endpoint, destination, { subject: 'b' }),
      ]);
      if (!one || !two) throw new Error('two');
      const before = await issues.cursor('attempts');
      const moved = fold({ cursor: { name: 'attempts', before, after: before + 5 } });
      expect(await issues.save(moved)).toBe(true);
      const fresh = newIssue(world, endpoint, destination, { subject: 'c' });
      const cursor = { name: 'attempts', before: before + 5, after: before + 8 } as const;
      const stale = [
        { cursor: { ...cursor, before } },
        { changed: [one, { ...two, version: 2 }] },
        { dropped: [one, { ...two, version: 0 }] },
        { dropped: [{ key: 999_999, version: 1 }] },
        { added: [fresh, newIssue(world, endpoint, destination)] },
      ];
      for (const basis of stale) {
        const refused = fold({ cursor, added: [fresh], ...basis });
        expect(await issues.save(refused), JSON.stringify(basis)).toBe(false);
      }
      expect(await issues.cursor('attempts')).toBe(before + 5);
      const found = await issues.byCauses([one, two, fresh]);
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([one, two]));
      expect(await issues.save(fold({ cursor, added: [fresh] }))).toBe(true);
    });

    test('several at once: one of the same basis is saved', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const { issues } = world.store;
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() =>
          issues.save(fold({ added: [newIssue(world, endpoint, destination)] })),
        ),
      );
      expect(answers.toSorted()).toEqual([false, false, false, true]);
      const issue = only((await issues.list(scopeOf(endpoint), {}, ALL)).issues).issue;
      const changes = await Promise.all(
        [1, 2, 3].map((count) => issues.save(fold({ changed: [{ ...issue, count }] }))),
      );
      expect(changes.toSorted()).toEqual([false, false, true]);
    });

    test('reads of the keeper: by cause, by destination, those that may close, open ones', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const second = await world.destination(endpoint);
      const at = (patch: Parameters<typeof newIssue>[3]) =>
        newIssue(world, endpoint, destination, patch);
      const [forming, acknowledged, resolved, elsewhere, backlog, conflict] = await saved(world, [
        at({ subject: 'a', state: 'forming', successes: 1 }),
        at({ subject: 'b', state: 'acknowledged', successes: 2 }),
        at({ subject: 'c', state: 'resolved', successes: 3 }),
        newIssue(world, endpoint, second, { state: 'ignored', successes: 4 }),
        at({ kind: 'backlog', subject: '', successes: 5 }),
        newIssue(world, endpoint, null),
      ]);
      const { issues } = world.store;
      const subjects = (found: readonly Issue[]) => found.map(({ id }) => id).toSorted();
      const ids = (...wanted: (Issue | undefined)[]) => wanted.map((one) => one?.id).toSorted();
      expect(
        subjects(
          await issues.byDestinations([destination.key, second.key, 0], ['delivery', 'alert']),
        ),
      ).toEqual(ids(forming, acknowledged, resolved, elsewhere));
      expect(subjects(await issues.byDestinations([destination.key], ['backlog']))).toEqual(
        ids(backlog),
      );
      expect(await issues.byDestinations([], ['backlog'])).toEqual([]);
      expect(await issues.byCauses([])).toEqual([]);
      const closing = await issues.closing(0, 10);
      expect(closing).toEqual([forming, acknowledged]);
      expect(await issues.closing(0, 1)).toEqual([forming]);
      expect(await issues.closing(forming?.key ?? 0, 1)).toEqual([acknowledged]);
      expect(await issues.openOf('delivery', 0, 10)).toEqual([acknowledged]);
      expect(await issues.openOf('delivery', acknowledged?.key ?? 0, 10)).toEqual([]);
      expect(await issues.openOf('backlog', 0, 1)).toEqual([backlog]);
      expect(await issues.openOf('conflict', 0, 10)).toEqual([conflict]);
      expect(await issues.openOf('silence', 0, 10)).toEqual([]);
    });
  });

  describe('what is removed', () => {
    test('a removed destination’s issues resolve, and nobody hears of it', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const [issue, old, elsewhere, forming] = await saved(world, [
        newIssue(world, endpoint, destination, {
          notified: 'open',
          notifiedAt: 1,
          notifyAt: 5,
          lastAt: 1,
        }),
        newIssue(world, endpoint, destination, { subject: 'b', state: 'resolved', lastAt: 2 }),
        newIssue(world, endpoint, null, { notifyAt: 5 }),
        newIssue(world, endpoint, destination, { subject: 'd', state: 'forming' }),
      ]);
      if (!issue || !old || !elsewhere || !forming) throw new Error('four');
      const { issues, destinations } = world.store;
      await destinations.remove(endpoint.key, destination.id, world.now, false);
      const found = await issues.find(scopeOf(endpoint), issue.id);
      expect(found).toMatchObject({
        issue: { state: 'resolved', lastAt: world.now, notifyAt: null },
      });
      expect(await issues.find(scopeOf(endpoint), old.id)).toMatchObject({ issue: { lastAt: 2 } });
      expect(found?.destination).toMatchObject({ id: destination.id });
      // Nobody has seen it, and nobody does now.
      expect(await issues.find(scopeOf(endpoint), forming.id)).toBeNull();
      expect(await issues.save(fold({ changed: [forming] }))).toBe(false);
      const toTell = await issues.toNotify(world.now, 10, []);
      expect(toTell.map((one) => one.issue.id)).toEqual([elsewhere.id]);
      // Folds of facts from before.
      expect(await issues.save(fold({ changed: [issue] }))).toBe(false);
      expect(await issues.save(fold({ changed: [{ ...old, state: 'open' }] }))).toBe(false);
      const late = newIssue(world, endpoint, destination, { subject: 'c' });
      expect(await issues.save(fold({ added: [late] }))).toBe(false);
      expect(await issues.save(fold({ changed: [elsewhere] }))).toBe(true);
    });

    test('a deleted endpoint’s issues are hidden at once, and go with it', async () => {
      const world = await begin();
      const { endpoint, destination } = await place(world);
      const stays = await world.endpoint({ userId: endpoint.userId });
      const [issue, conflict, other] = await saved(world, [
        newIssue(world, endpoint, destination, { notifyAt: 1 }),
        newIssue(world, endpoint, null, { notifyAt: 1 }),
        newIssue(world, stays, null, { notifyAt: 1 }),
      ]);
      if (!issue || !conflict || !other) throw new Error('three');
      const { issues, endpoints, upkeep } = world.store;
      await endpoints.remove(endpoint.key, world.now);
      const scope = scopeOf(endpoint);
      expect(await idsOf(world, scope)).toEqual([other.id]);
      expect(await issues.find(scope, issue.id)).toBeNull();
      const change = { version: 2, state: 'ignored', lastAt: 1, notifyAt: null } as const;
      expect(await issues.setState(scope, issue.id, change)).toBeNull();
      const told = await issues.toNotify(world.now, 10, []);
      expect(told.map((one) => one.issue.id)).toEqual([other.id]);
      expect(await issues.openOf('delivery', 0, 10)).toEqual([]);
      const late = newIssue(world, endpoint, null, { subject: 'c' });
      expect(await issues.save(fold({ added: [late] }))).toBe(false);
      while ((await upkeep.purgeSlice(1000)).more);
      expect(await issues.byCauses([issue, conflict])).toEqual([]);
      expect(await issues.byCauses([other])).toEqual([other]);
      expect(await issues.save(fold({ added: [late] }))).toBe(false);
    });

    test('resolved issues are dropped, the oldest first, as many as asked', async () => {
      const world = await begin();
      const { endpoint } = await place(world);
      const added = [1, 2, 3, 4].map((lastAt) =>
        newIssue(world, endpoint, null, { lastAt, subject: `${lastAt}`, state: 'resolved' }),
      );
      const open = newIssue(world, endpoint, null, { lastAt: 1 });
      await saved(world, [...added, open]);
      const { issues } = world.store;
      expect(await issues.dropResolved(4, 2)).toBe(2);
      const left = async () =>
        (await issues.byCauses([...added, open])).map(({ lastAt }) => lastAt);
      expect((await left()).toSorted()).toEqual([1, 3, 4]);
      expect(await issues.dropResolved(4, 2)).toBe(1);
      expect(await issues.dropResolved(4, 2)).toBe(0);
      expect((await left()).toSorted()).toEqual([1, 4]);
    });
  });
}
