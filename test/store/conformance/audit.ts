import { expect, test } from 'vitest';
import type { AuditStore } from '../../../src/store/contract/audit.ts';
import { MANY } from '../../fixtures/many.ts';
import { newEntry, shown } from './account-rows.ts';
import { newWorld, type OpenStore, sharedWorld } from './world.ts';

const ALL = { offset: 0, limit: 1000 };

export function auditConformance(open: OpenStore): void {
  const shared = sharedWorld(open);
  const audit = () => shared().store.audit;
  const timesOf = async (userId: string, store: AuditStore = audit()) =>
    (await store.list(userId, ALL)).entries.map(({ at }) => at);

  test('an account’s entries are listed, newest first, in pages', async () => {
    const user = await shared().user();
    const stranger = await shared().user();
    // The order is that of the additions: a clock may be set back.
    const entries = [500, 300, 400].map((at) => newEntry(user.id, { at }));
    entries[1] = {
      ...(entries[1] as (typeof entries)[0]),
      actor: { type: 'system', id: null, name: null, address: null },
      target: { type: 'account', id: user.id, name: null },
      changes: null,
    };
    for (const entry of entries) await audit().add(entry, { most: MANY });
    await audit().add(newEntry(stranger.id), { most: MANY });
    const newest = entries.map(shown).reverse();
    expect(await audit().list(user.id, ALL)).toEqual({ entries: newest, total: 3 });
    expect(await audit().list(user.id, { offset: 1, limit: 1 })).toEqual({
      entries: newest.slice(1, 2),
      total: 3,
    });
    expect(await audit().list(user.id, { offset: 3, limit: 1 })).toEqual({ entries: [], total: 3 });
    const far = { offset: Number.MAX_SAFE_INTEGER, limit: 1000 };
    expect(await audit().list(user.id, far)).toEqual({ entries: [], total: 3 });
    const { id } = await shared().user();
    expect(await audit().list(id, ALL)).toEqual({ entries: [], total: 0 });
  });

  test('text comes back as it was, except for NUL', async () => {
    const user = await shared().user();
    const entry = newEntry(user.id, { changes: { name: ['日本 🪝 \u2028', { a: [1, null] }] } });
    await audit().add(entry, { most: MANY });
    expect((await audit().list(user.id, ALL)).entries).toEqual([shown(entry)]);
  });

  test('the oldest entry goes when there are too many', async () => {
    const user = await shared().user();
    for (const at of [1, 2, 3, 4, 5]) await audit().add(newEntry(user.id, { at }), { most: 3 });
    expect(await timesOf(user.id)).toEqual([5, 4, 3]);
    expect(await audit().list(user.id, { offset: 2, limit: 5 })).toMatchObject({
      entries: [{ at: 3 }],
      total: 3,
    });
  });

  test('concurrent additions are all there', async () => {
    const user = await shared().user();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        audit().add(newEntry(user.id, { at: at + 1 }), { most: MANY }),
      ),
    );
    expect(new Set(await timesOf(user.id)).size).toBe(20);
  });

  test('a quiet time admits one entry of an action', async () => {
    const user = await shared().user();
    const action = 'auth.login_failed' as const;
    const fail = (at: number) =>
      audit().add(newEntry(user.id, { action, at }), { most: MANY, quietMs: 1000 });
    await fail(5000);
    await fail(5999);
    await audit().add(newEntry(user.id, { at: 5999 }), { most: MANY });
    await fail(6000);
    // A clock that is set back must not silence the audit.
    await fail(100);
    expect(await timesOf(user.id)).toEqual([100, 6000, 5999, 5000]);
    await Promise.all([9000, 9000, 9000].map(fail));
    expect((await timesOf(user.id)).filter((at) => at === 9000)).toHaveLength(1);
  });

  test('old entries are deleted in slices, account by account', async () => {
    const world = await newWorld(open);
    const store = world.store.audit;
    const users = [];
    for (let i = 0; i < 5; i++) users.push(await world.user());
    const ids = users.map(({ id }) => id).sort();
    for (const userId of ids) {
      // The entry in the middle has the time of a clock that was set back.
      for (const at of [10, 20, 200, 30, 300]) {
        await store.add(newEntry(userId, { at }), { most: MANY });
      }
    }
    let after: string | null = '';
    let removed = 0;
    let slices = 0;
    while (after !== null) {
      const slice: { removed: number; next: string | null } = await store.retireSlice(
        100,
        after,
        3,
      );
      expect(slice.removed).toBeLessThanOrEqual(3);
      removed += slice.removed;
      after = slice.next;
      expect(++slices).toBeLessThan(20);
    }
    expect(removed).toBe(10);
    expect(slices).toBeGreaterThan(3);
    for (const userId of ids) {
      expect(await timesOf(userId, store)).toEqual([300, 30, 200]);
      expect((await store.list(userId, ALL)).total).toBe(3);
      await store.add(newEntry(userId, { at: 400 }), { most: 2 });
      expect(await timesOf(userId, store)).toEqual([400, 300]);
    }
    expect(await store.retireSlice(0, '', 10)).toEqual({ removed: 0, next: null });
  });
}
