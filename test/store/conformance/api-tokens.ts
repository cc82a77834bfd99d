import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import type { ApiToken } from '../../../src/core/model.ts';
import type { NewApiToken } from '../../../src/store/contract/api-tokens.ts';
import { MANY } from '../../fixtures/many.ts';
import { newToken } from './account-rows.ts';
import { clearedWorlds, type OpenStore, only, sharedWorld } from './world.ts';

const listed = ({ userId: _, hash: __, ...token }: NewApiToken): ApiToken => token;

export function apiTokenConformance(open: OpenStore): void {
  const begin = clearedWorlds(open);
  const shared = sharedWorld(open);
  const tokens = () => shared().store.apiTokens;

  test('the account of a token is found until the token is deleted', async () => {
    const user = await shared().user({ plan: 'starter' });
    const stranger = await shared().user();
    const token = newToken(user.id, { name: 'CI “é”' });
    expect(await tokens().create(token, MANY)).toEqual({ unknownEndpoints: [] });
    const { id, name, scopes, expiresAt, hash } = token;
    expect(await tokens().use(Buffer.alloc(32, 8), 20)).toBeNull();
    expect(await tokens().use(hash, 20)).toEqual({
      user,
      token: { id, name, scopes, expiresAt, endpoints: null },
    });
    expect(await tokens().delete(stranger.id, id)).toBeNull();
    expect(await tokens().delete(user.id, id)).toBe('CI “é”');
    expect(await tokens().delete(user.id, id)).toBeNull();
    expect(await tokens().use(hash, 30)).toBeNull();
    expect(await tokens().list(user.id)).toEqual([]);
  });

  test('one account’s tokens are listed, newest first', async () => {
    const users = [await shared().user(), await shared().user()] as const;
    const made = [1000, 2000, 3000].map((createdAt, i) =>
      newToken(users[i % 2 ? 1 : 0].id, { createdAt, name: `made at ${createdAt}` }),
    );
    for (const token of made) await tokens().create(token, MANY);
    const [first, second, third] = made.map(listed);
    expect(await tokens().list(users[0].id)).toEqual([third, first]);
    expect(await tokens().list(users[1].id)).toEqual([second]);
  });

  test('scopes, limit and expiry come back', async () => {
    const user = await shared().user();
    const one = await shared().endpoint({ userId: user.id });
    const two = await shared().endpoint({ userId: user.id });
    const token = newToken(user.id, {
      scopes: ['read'],
      endpointIds: [one.id, two.id],
      expiresAt: 5000,
    });
    await tokens().create(token, MANY);
    expect(await tokens().list(user.id)).toEqual([listed(token)]);
    const endpoints = [one, two].map(({ key, id }) => ({ key, id }));
    const { id, name } = token;
    const rights = { id, name, scopes: ['read'], expiresAt: 5000, endpoints };
    expect(await tokens().use(token.hash, 4999)).toEqual({ user, token: rights });
    expect(only(await tokens().list(user.id)).lastUsedAt).toBe(4999);
  });

  test('an expired token is found, and its use is not recorded', async () => {
    const user = await shared().user();
    const token = newToken(user.id, { expiresAt: 5000 });
    await tokens().create(token, MANY);
    expect(await tokens().use(token.hash, 5000)).toMatchObject({ token: { expiresAt: 5000 } });
    expect(only(await tokens().list(user.id)).lastUsedAt).toBeNull();
  });

  test('a token is limited to endpoints of its account only', async () => {
    const user = await shared().user();
    const own = await shared().endpoint({ userId: user.id });
    const deleted = await shared().endpoint({ userId: user.id });
    await shared().store.endpoints.remove(deleted.key, shared().now);
    const foreign = await shared().endpoint();
    const unknown = newId('ep', 1);
    const endpointIds = [foreign.id, own.id, unknown, deleted.id, 'a\0b'];
    const token = newToken(user.id, { endpointIds });
    expect(await tokens().create(token, MANY)).toEqual({
      unknownEndpoints: [foreign.id, unknown, deleted.id, 'a\0b'],
    });
    expect(await tokens().list(user.id)).toEqual([]);
    expect(await tokens().use(token.hash, 1)).toBeNull();
  });

  test('a deleted endpoint leaves a token’s limit, which stays a limit', async () => {
    const world = await begin();
    const { apiTokens, endpoints, upkeep } = world.store;
    const user = await world.user();
    const one = await world.endpoint({ userId: user.id });
    const two = await world.endpoint({ userId: user.id });
    const token = newToken(user.id, { endpointIds: [one.id, two.id] });
    await apiTokens.create(token, MANY);
    const ids = async () => only(await apiTokens.list(user.id)).endpointIds;
    const used = async () =>
      (await apiTokens.use(token.hash, 1))?.token.endpoints?.map(({ id }) => id);
    await endpoints.remove(one.key, world.now);
    expect([await ids(), await used()]).toEqual([[two.id], [two.id]]);
    await endpoints.remove(two.key, world.now);
    expect([await ids(), await used()]).toEqual([[], []]);
    while ((await upkeep.purgeSlice(10)).more);
    expect([await ids(), await used()]).toEqual([[], []]);
  });

  test('the number of an account’s tokens is limited', async () => {
    const user = await shared().user();
    const make = () => tokens().create(newToken(user.id), 2);
    const made = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'limit_reached', hint: expect.stringContaining('--max-tokens') },
    });
    await tokens().delete(user.id, (await tokens().list(user.id))[0]?.id ?? '');
    await make();
  });

  test('expired tokens give up their places when others need them', async () => {
    const user = await shared().user();
    const expired = newToken(user.id, { createdAt: 1000, expiresAt: 2000 });
    const later = newToken(user.id, { createdAt: 1001, expiresAt: 3000 });
    for (const token of [expired, later]) await tokens().create(token, 3);
    const third = newToken(user.id, { createdAt: 2000 });
    await tokens().create(third, 3);
    expect(await tokens().list(user.id)).toHaveLength(3);
    const fourth = newToken(user.id, { createdAt: 2001 });
    await tokens().create(fourth, 3);
    expect(await tokens().list(user.id)).toEqual([fourth, third, later].map(listed));
    await expect(tokens().create(newToken(user.id, { createdAt: 2999 }), 3)).rejects.toMatchObject({
      code: 'limit_reached',
    });
  });

  test('a token’s use is recorded, to the minute', async () => {
    const user = await shared().user();
    const token = newToken(user.id, { name: 'cron' });
    await tokens().create(token, MANY);
    const lastUse = async () => only(await tokens().list(user.id)).lastUsedAt;
    const first = shared().now;
    await tokens().use(token.hash, first);
    expect(await lastUse()).toBe(first);
    await tokens().use(token.hash, first + 5 * 60_000);
    expect(await lastUse()).toBeGreaterThan(first + 4 * 60_000);
  });
}
