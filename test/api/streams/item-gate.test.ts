import { describe, expect, test } from 'vitest';
import { RuleLookups } from '../../../src/api/streams/event-lookups.ts';
import { ItemGate, MAX_WAITING, type StreamFilter } from '../../../src/api/streams/item-gate.ts';
import type { EventSummary } from '../../../src/core/model.ts';
import type { LiveItem } from '../../../src/live/live.ts';
import type { EventClass } from '../../../src/store/contract/live.ts';
import type { SettledAttempt } from '../../../src/store/contract/queue.ts';

const ALL: StreamFilter = { type: null, where: null };
const BY_RULE: StreamFilter = { type: null, where: 'body.a=1' };
const BY_TYPE: StreamFilter = { type: 'paid', where: null };

/** Stripe's bodies name the type, GitHub's headers do. */
function event(
  seq: number,
  { provider, eventType = null, size = 2 }: Partial<EventSummary>,
): LiveItem {
  return {
    kind: 'event',
    event: { seq, id: `evt_${seq}`, provider, eventType, size } as EventSummary,
    position: { eventSeq: seq, attemptSeq: 0 },
  };
}
const stripe = (seq: number) => event(seq, { provider: 'stripe' });
const github = (seq: number, eventType = 'push') => event(seq, { provider: 'github', eventType });
// A provider whose bodies name no type.
const untyped = (seq: number) => event(seq, { provider: 'shopify' });
const unknown = (seq: number) => event(seq, { provider: null });
const attempt = (seq: number, eventSeq: number): LiveItem => ({
  kind: 'attempt',
  settled: { attempt: { seq, id: `att_${seq}` }, eventSeq } as SettledAttempt,
  position: { eventSeq: 0, attemptSeq: seq },
});

const nameOf = (item: LiveItem) =>
  item.kind === 'event' ? item.event.id : item.settled.attempt.id;

/** @param contents what each event's content says; an event without an entry is gone */
function setup(
  filter: StreamFilter,
  contents: Record<number, { eventType?: string | null; fits?: boolean }> = {},
) {
  const lookups: number[][] = [];
  let answer: (() => void)[] = [];
  let failure: Error | null = null;
  const looks = new RuleLookups(
    {
      classify(seqs) {
        lookups.push([...seqs]);
        return new Promise<EventClass[]>((resolve, reject) => {
          answer.push(() => {
            if (failure) reject(failure);
            const found = seqs.filter((seq) => contents[seq]);
            resolve(found.map((seq) => ({ seq, eventType: null, fits: true, ...contents[seq] })));
          });
        });
      },
    },
    filter.where,
    (look) => look(),
  );
  const seen: string[] = [];
  let drops = 0;
  const open = () =>
    new ItemGate({
      filter,
      looks,
      pass: (item, eventType) => seen.push(`${nameOf(item)} ${eventType}`),
      skip: (item) => seen.push(`skip ${nameOf(item)}`),
      drop() {
        drops++;
      },
    });
  const gate = open();
  const settle = async () => {
    for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
    const due = answer;
    answer = [];
    for (const one of due) one();
    for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ...{ gate, open, seen, lookups, settle },
    fail: (error: Error) => {
      failure = error;
    },
    drops: () => drops,
  };
}

describe('a stream of everything', () => {
  test('passes items at once, without a look, where nothing is missing', () => {
    const { gate, seen, lookups } = setup(ALL);
    for (const item of [github(1), untyped(2), attempt(1, 1)]) gate.take(item);
    expect(seen).toEqual(['evt_1 push', 'evt_2 null', 'att_1 null']);
    expect(lookups).toEqual([]);
  });

  test('completes a type that only the body names; later items keep their place', async () => {
    const { gate, seen, lookups, settle } = setup(ALL, {
      2: { eventType: 'paid' },
      4: { eventType: null },
    });
    for (const item of [github(1), stripe(2), github(3), stripe(4), attempt(9, 2)]) gate.take(item);
    expect(seen).toEqual(['evt_1 push']);
    await settle();
    expect(lookups).toEqual([[2, 4]]);
    expect(seen.slice(1)).toEqual(['evt_2 paid', 'evt_3 push', 'evt_4 null', 'att_9 null']);
    gate.take(github(5));
    expect(seen.at(-1)).toBe('evt_5 push');
  });

  test('doesn’t look into a body that is too large to be parsed for its type', async () => {
    const { gate, seen, lookups, settle } = setup(ALL, { 1: {} });
    gate.take(event(2, { provider: 'stripe', size: 256 * 1024 + 1 }));
    expect(seen).toEqual(['evt_2 null']);
    gate.take(event(1, { provider: 'stripe', size: 256 * 1024 }));
    await settle();
    expect(lookups).toEqual([[1]]);
  });

  test('passes an event that is gone without a type', async () => {
    const { gate, seen, settle } = setup(ALL);
    gate.take(stripe(1));
    await settle();
    expect(seen).toEqual(['evt_1 null']);
  });
});

describe('a stream with a rule', () => {
  test('passes events that fit, and attempts of such events', async () => {
    const contents = { 1: { fits: true, eventType: 'push' }, 2: { fits: false } };
    const { gate, seen, settle } = setup(BY_RULE, contents);
    for (const item of [github(1), attempt(1, 1), untyped(2), attempt(2, 2)]) gate.take(item);
    expect(seen).toEqual([]);
    await settle();
    expect(seen).toEqual(['evt_1 push', 'att_1 null', 'skip evt_2', 'skip att_2']);
  });

  test('skips what is gone', async () => {
    const { gate, seen, settle } = setup(BY_RULE);
    gate.take(github(1));
    gate.take(attempt(1, 1));
    await settle();
    expect(seen).toEqual(['skip evt_1', 'skip att_1']);
  });
});

describe('a stream with a type', () => {
  test('asks nothing where the headers or the provider decide', () => {
    const { gate, seen, lookups } = setup(BY_TYPE);
    for (const item of [github(1), github(2, 'paid'), untyped(3)]) gate.take(item);
    expect(seen).toEqual(['skip evt_1', 'evt_2 paid', 'skip evt_3']);
    expect(lookups).toEqual([]);
  });

  test('looks into the bodies of unknown senders', async () => {
    const { gate, seen, lookups, settle } = setup(BY_TYPE, { 1: { eventType: 'paid' }, 2: {} });
    for (const item of [unknown(1), unknown(2)]) gate.take(item);
    await settle();
    expect(seen).toEqual(['evt_1 paid', 'skip evt_2']);
    expect(lookups).toEqual([[1, 2]]);
  });

  test('looks into bodies that name a type, and into the events of attempts', async () => {
    const contents = { 1: { eventType: 'paid' }, 2: { eventType: 'void' } };
    const { gate, seen, settle } = setup(BY_TYPE, contents);
    for (const item of [stripe(1), stripe(2), attempt(1, 1), attempt(2, 2), stripe(3)]) {
      gate.take(item);
    }
    await settle();
    expect(seen).toEqual(['evt_1 paid', 'skip evt_2', 'att_1 null', 'skip att_2', 'skip evt_3']);
  });

  test('and a rule wants both', async () => {
    const { gate, seen, settle } = setup(
      { type: 'paid', where: 'body.a=1' },
      { 1: { eventType: 'paid', fits: false }, 2: { eventType: 'paid', fits: true } },
    );
    for (const item of [stripe(1), stripe(2), github(3), github(4, 'paid')]) gate.take(item);
    await settle();
    expect(seen).toEqual(['skip evt_1', 'evt_2 paid', 'skip evt_3', 'skip evt_4']);
  });
});

describe('the reader is dropped', () => {
  test('when too many items wait', () => {
    const { gate, drops, seen } = setup(BY_RULE);
    for (let seq = 1; seq <= MAX_WAITING; seq++) gate.take(attempt(seq, 1));
    expect(drops()).toBe(0);
    gate.take(attempt(MAX_WAITING + 1, 1));
    gate.take(attempt(MAX_WAITING + 2, 1));
    expect(drops()).toBe(1);
    expect(seen).toEqual([]);
  });

  test('when a look fails, with nothing passed from there on', async () => {
    const { gate, drops, seen, settle, fail } = setup(ALL, { 1: {}, 2: {} });
    fail(new Error('the database is away'));
    gate.take(stripe(1));
    gate.take(github(2));
    await settle();
    gate.take(github(3));
    expect([drops(), seen]).toEqual([1, []]);
  });
});

test('readers of the same items get each in a row, so that they share its frame', async () => {
  const { gate, open, seen, settle } = setup(ALL, { 1: { eventType: 'paid' } });
  const other = open();
  for (const item of [stripe(1), github(2), github(3)]) {
    for (const one of [gate, other]) one.take(item);
  }
  await settle();
  expect(seen).toEqual([
    ...['evt_1 paid', 'evt_1 paid', 'evt_2 push', 'evt_2 push', 'evt_3 push', 'evt_3 push'],
  ]);
});

test('a closed gate passes nothing more', async () => {
  const { gate, drops, seen, settle, fail } = setup(ALL, { 1: {} });
  gate.take(stripe(1));
  gate.close();
  gate.take(github(2));
  await settle();
  const failing = setup(ALL);
  failing.gate.take(stripe(1));
  failing.fail(new Error('the database is away'));
  failing.gate.close();
  await failing.settle();
  fail(new Error('unused'));
  expect([seen, drops(), failing.drops()]).toEqual([[], 0, 0]);
});
