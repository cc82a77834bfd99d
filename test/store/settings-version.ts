import { expect } from 'vitest';
import { DEFAULT_ENDPOINT_SETTINGS } from '../../src/core/settings/endpoint-settings.ts';
import type { DestinationPatch } from '../../src/store/contract/destinations.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { BY_ID, STRIPE } from './conformance/proof.ts';
import { settingsPatch, World } from './conformance/world.ts';

/**
 * Makes every change that increments `endpoints.settings_version`, and some that don't, and
 * reads the version after each (`store/contract/destinations.ts`).
 */
export async function watchSettingsVersion(
  store: Store,
  versionOf: (endpointKey: number) => Promise<number>,
): Promise<void> {
  const world = new World({ store, reopen: async () => store, close: async () => {} });
  const endpoint = await world.endpoint();
  const other = await world.endpoint({ userId: endpoint.userId });
  const { destinations, endpoints } = store;
  const { key } = endpoint;
  const { id } = await world.destination(endpoint);
  const change = (patch: DestinationPatch) =>
    destinations.update(key, id, patch, { at: world.now, by: null });
  const versions = [await versionOf(key)];
  const changes: (() => Promise<unknown>)[] = [
    () => endpoints.update(key, { source: STRIPE }),
    () => endpoints.update(key, settingsPatch({ dedupe: BY_ID })),
    () => endpoints.update(key, { source: null, ...settingsPatch({ dedupe: null }) }),
    () => change({ settings: { filter: 'body.a=1' } }),
    () => change({ settings: { order_by: '*' } }),
    () => change({ settings: { state: 'disabled' } }),
    // No verdict reads these.
    () => change({ settings: { name: 'billing' } }),
    () => change({ url: 'https://b.example' }),
    () => destinations.remove(key, id, world.now, true),
  ];
  for (const change of changes) {
    await change();
    versions.push(await versionOf(key));
  }
  expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 8, 8, 9]);
  await world.event(endpoint);
  const { dedupe: _, ...others } = DEFAULT_ENDPOINT_SETTINGS;
  await endpoints.update(
    key,
    settingsPatch({ ...others, name: 'renamed', expect_every: 1000 }, world.now),
  );
  await change({ settings: { filter: null } });
  await destinations.remove(key, id, world.now, true);
  expect([await versionOf(key), await versionOf(other.key)]).toEqual([9, 1]);
}
