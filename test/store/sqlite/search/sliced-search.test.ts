import { expect, onTestFinished, test } from 'vitest';
import type { EventFilter } from '../../../../src/store/contract/events.ts';
import { openAnother } from '../../../../src/store/sqlite/files/database.ts';
import { prepareForSearch } from '../../../../src/store/sqlite/search/content-condition.ts';
import { findUpwards } from '../../../../src/store/sqlite/search/list-events.ts';
import { World } from '../../conformance/world.ts';
import { openStoreIn, tempDir } from '../temp-store.ts';

const EVENTS = 600;

test.each<[string, EventFilter]>([
  ['a text', { q: 'needle' }],
  ['a rule with a text', { where: 'body.text=needle' }],
  ['a rule without one', { where: 'body.n>=3' }],
  ['a type', { type: 'needle' }],
])('a search for %s that stops after each slice finds everything once', async (_, filter) => {
  const dir = tempDir();
  const store = await openStoreIn(dir);
  const world = new World({ store, reopen: async () => store, close: () => store.close() });
  onTestFinished(() => world.close());
  const endpoint = await world.endpoint();
  await world.events(
    endpoint,
    Array.from({ length: EVENTS }, (_, n) => ({
      provider: 'stripe',
      body: JSON.stringify({
        n: n % 5,
        text: n % 3 ? 'needle' : 'hay',
        type: n % 3 ? 'needle' : 'hay',
      }),
      ...(n % 7 === 0 && { eventType: 'needle' }),
    })),
  );
  await world.indexed();
  const db = openAnother(`${dir}/hookrelay.db`, { readonly: true });
  onTestFinished(() => {
    db.close();
  });
  prepareForSearch(db);
  db.prepare('ATTACH ? AS idx').run(`${dir}/search.db`);
  const index = { onBroken: () => expect.unreachable() };
  const all = (await world.listed(endpoint, filter)).map(({ seq }) => seq).reverse();
  const found: number[] = [];
  let after: number | null = 0;
  let slices = 0;
  while (after !== null) {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, limit: EVENTS, forMs: 0 };
    const steps = findUpwards(db, index, endpoint.key, filter, range);
    let step = steps.next();
    while (!step.done) step = steps.next();
    found.push(...step.value.seqs);
    after = step.value.resumeAfter;
    slices++;
  }
  expect(slices).toBeGreaterThan(1);
  expect(found).toEqual(all);
});
