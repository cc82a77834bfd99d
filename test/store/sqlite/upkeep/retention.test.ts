import { expect, onTestFinished, test } from 'vitest';
import { World } from '../../conformance/world.ts';
import { openStoreIn, strictLog, tempDir } from '../temp-store.ts';

const WAITING = 2000;

test('one commit of retention looks at a bounded number of events that wait', async () => {
  const store = await openStoreIn(tempDir(), strictLog());
  const world = new World({ store, reopen: async () => store, close: () => store.close() });
  onTestFinished(() => world.close());
  const endpoint = await world.endpoint();
  const { id } = await world.destination(endpoint);
  await world.events(endpoint, Array(WAITING).fill({}));
  await store.destinations.remove(endpoint.key, id, world.now, false);
  const closed = await world.event(endpoint);
  const retire = () => store.upkeep.retireSlice({ before: world.now + 1 }, 10);
  expect(await retire()).toMatchObject({ removed: 0, more: true });
  expect(await retire()).toMatchObject({ removed: 1, more: false });
  expect(await store.events.find(endpoint.key, closed.id)).toBeNull();
  // The next run begins with the oldest event again.
  const [claim] = await world.claimDue();
  if (!claim) throw new Error('one is due');
  await world.settle(claim, 'dead');
  expect(await retire()).toMatchObject({ removed: 1, more: true });
  expect(await store.events.find(endpoint.key, claim.eventId)).toBeNull();
});
