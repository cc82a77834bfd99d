import { expect, test } from 'vitest';
import { changeDestination } from '../../../src/api/destinations/change-destination.ts';
import type { Destination } from '../../../src/core/model.ts';
import type { ChangeStamp, DestinationPatch } from '../../../src/store/contract/destinations.ts';

const BY = { at: 1, by: 'ada@example.com' };

/** A destination that others change `overtaken` times, each time before the change arrives. */
function contested(overtaken: number) {
  let stored = { key: 1, id: 'dst_1', url: 'https://a/0', version: 1 } as Destination;
  const changes: ChangeStamp[] = [];
  return {
    changes,
    async get() {
      return stored;
    },
    async update(_: number, __: string, patch: DestinationPatch, change: ChangeStamp) {
      changes.push(change);
      if (changes.length <= overtaken) {
        stored = { ...stored, url: `https://a/${changes.length}`, version: stored.version + 1 };
      }
      if (change.version !== stored.version) return 'changed' as const;
      stored = { ...stored, ...(patch.url && { url: patch.url }), version: stored.version + 1 };
      return stored;
    },
  };
}

const change = (destinations: ReturnType<typeof contested>) =>
  changeDestination(destinations, 1, 'dst_1', BY, ({ url }) => ({ url: `${url}+` }));

test('a change is based on the version that it read', async () => {
  const destinations = contested(0);
  const { before, after } = await change(destinations);
  expect([before.url, after.url]).toEqual(['https://a/0', 'https://a/0+']);
  expect(destinations.changes).toEqual([{ ...BY, version: 1 }]);
});

test('a change that others overtake is made again from theirs', async () => {
  const { before, after } = await change(contested(3));
  expect([before.url, after.url]).toEqual(['https://a/3', 'https://a/3+']);
});

test('a change doesn’t go on for ever', async () => {
  const destinations = contested(Number.POSITIVE_INFINITY);
  await expect(change(destinations)).rejects.toMatchObject({ code: 'overloaded', retryAfterS: 1 });
  expect(destinations.changes.length).toBeLessThan(100);
});

test('a removed destination isn’t found, before the change and in it', async () => {
  const gone = { get: async () => null, update: () => expect.fail('it is gone') };
  const removed = { ...contested(0), update: async () => null };
  for (const destinations of [gone, removed]) {
    await expect(changeDestination(destinations, 1, 'dst_1', BY, () => ({}))).rejects.toMatchObject(
      { code: 'destination_not_found' },
    );
  }
});
