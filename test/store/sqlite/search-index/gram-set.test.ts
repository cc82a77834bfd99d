import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import {
  ANYTHING,
  blocksHolding,
  GramSet,
} from '../../../../src/store/sqlite/search-index/gram-set.ts';

/** Indexes blocks of bodies. Returns a function that lists the blocks that a query matches. */
function indexOf(blocks: readonly (readonly Uint8Array[])[]): (q: string) => number[] | null {
  const db = new Database(':memory:');
  onTestFinished(() => {
    db.close();
  });
  db.exec(
    `CREATE VIRTUAL TABLE grams USING fts5 (words, content = '', detail = none, tokenize = 'ascii')`,
  );
  const insert = db.prepare('INSERT INTO grams (rowid, words) VALUES (?, ?)');
  const grams = new GramSet();
  for (const [i, bodies] of blocks.entries()) {
    for (const body of bodies) grams.add(body);
    insert.run(i, grams.take());
  }
  const select = db.prepare<[string], number>('SELECT rowid FROM grams(?) ORDER BY rowid').pluck();
  return (q) => {
    const query = blocksHolding([[q]]);
    return query === null ? null : select.all(query);
  };
}

test('a block that contains the text is never left out, whatever the bytes', () => {
  const body = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(body, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 }),
      fc.nat(),
      (blocks, q, at) => {
        const holder = at % blocks.length;
        const held: Uint8Array[][] = blocks.map((bodies) => [...bodies]);
        held[holder]?.push(Buffer.from(`"${q}"`));
        const found = indexOf(held)(q);
        if (Buffer.byteLength(q) < 3) expect(found).toBeNull();
        else expect(found).toContain(holder);
      },
    ),
    { numRuns: 200 },
  );
});

test('a block that lacks a gram is left out', () => {
  const held = indexOf([[Buffer.from('one needle')], [Buffer.from('two'), Buffer.from('hay')]]);
  expect(held('needle')).toEqual([0]);
  expect(held('hay')).toEqual([1]);
  // Bodies are separate: no gram spans two of them.
  expect(held('woh')).toEqual([]);
});

test('a query with too many grams still uses grams from its whole length', () => {
  const text = Array.from({ length: 1000 }, (_, i) => i).join('-');
  const held = indexOf([[Buffer.from(text)], [Buffer.from(text.slice(0, text.length / 2))]]);
  expect(held(text)).toEqual([0]);
  expect(blocksHolding([[text]])?.match(/"[0-9a-f]{4}"/g)?.length).toBeLessThanOrEqual(32);
});

test('a block without grams may contain anything', () => {
  expect(blocksHolding([['abc']])?.endsWith(` OR "${ANYTHING}"`)).toBe(true);
});

test('the last grams can be removed, and no others', () => {
  const first = Buffer.from('abcd');
  const last = Buffer.from('bcd efgh');
  const grams = new GramSet();
  const wordsOf = (...bodies: Buffer[]) => {
    for (const body of bodies) grams.add(body);
    return grams.take();
  };
  const expected = [wordsOf(first), wordsOf(first, last)];
  grams.add(first);
  const { size } = grams;
  grams.add(last);
  grams.cutTo(size);
  expect(grams.size).toBe(size);
  expect(grams.take()).toBe(expected[0]);
  expect(wordsOf(first, last)).toBe(expected[1]);
});
