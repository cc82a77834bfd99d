import { describe, expect, test } from 'vitest';
import { mismatchText, ruleTrialView } from '../../../src/api/rules/rule-trial-view.ts';
import type { TriedEvent } from '../../../src/store/contract/events.ts';

const AMOUNT = { path: 'body.amount', operator: '$gte', type: 'text' };

const event = (
  id: string,
  fits: boolean,
  didFit: boolean,
  mismatches: TriedEvent['mismatches'] = [],
): TriedEvent => ({ id, fits: [fits, didFit], mismatches, isTooCostly: false });

test('nothing tried gives zeros', () => {
  expect(ruleTrialView([])).toEqual({
    tried: 0,
    matched: 0,
    dropped: 0,
    failed: 0,
    changed: [],
    changed_total: 0,
    samples: [],
  });
});

test('counts, and lists first what failed, then what changed, then the rest', () => {
  const trial = ruleTrialView([
    event('evt_5', true, true),
    event('evt_4', false, true),
    event('evt_3', false, false, [AMOUNT, { ...AMOUNT, path: 'body.other' }]),
    event('evt_2', true, false),
    event('evt_1', false, true, [AMOUNT]),
  ]);
  expect(trial).toEqual({
    tried: 5,
    matched: 2,
    dropped: 3,
    failed: 2,
    changed: [
      { event_id: 'evt_4', before: 'matched', after: 'dropped' },
      { event_id: 'evt_2', before: 'dropped', after: 'matched' },
      { event_id: 'evt_1', before: 'matched', after: 'dropped' },
    ],
    changed_total: 3,
    samples: [
      { event_id: 'evt_3', output: 'dropped', error: mismatchText(AMOUNT), logs: [], diff: null },
      { event_id: 'evt_1', output: 'dropped', error: mismatchText(AMOUNT), logs: [], diff: null },
      { event_id: 'evt_4', output: 'dropped', logs: [], diff: null },
      { event_id: 'evt_2', output: 'matched', logs: [], diff: null },
      { event_id: 'evt_5', output: 'matched', logs: [], diff: null },
    ],
  });
});

test('the lists are bounded, the counts are not', () => {
  const tried = Array.from({ length: 10_000 }, (_, i) => event(`evt_${10_000 - i}`, false, true));
  const trial = ruleTrialView(tried);
  expect([trial.tried, trial.dropped, trial.changed_total]).toEqual([10_000, 10_000, 10_000]);
  expect(trial.changed).toHaveLength(1000);
  expect([trial.changed[0]?.event_id, trial.changed.at(-1)?.event_id]).toEqual([
    'evt_10000',
    'evt_9001',
  ]);
  expect(trial.samples).toHaveLength(20);
});

test('events without a change fill the samples', () => {
  const tried = Array.from({ length: 30 }, (_, i) => event(`evt_${i}`, true, i !== 29));
  const { samples } = ruleTrialView(tried);
  expect(samples).toHaveLength(20);
  expect(samples.map(({ event_id }) => event_id).slice(0, 3)).toEqual(['evt_29', 'evt_0', 'evt_1']);
});

describe('a value that an operator can’t take', () => {
  test.each([
    ['$gte', 'text', 'compares it with a number only if it is one, such as "500.00"'],
    ['$lt', 'a number', 'compares it with numbers only'],
    ['$gt', 'null', 'takes numbers and text'],
    ['$lte', 'an object', 'takes numbers and text'],
    ['$in', 'an array', 'takes single values'],
    ['$in', 'a number', 'finds it in a list only'],
    ['$in', 'text', 'finds it in a text or a list only'],
    ['$contains', 'text', 'finds only text in it'],
    ['$contains', 'true or false', 'takes text and arrays'],
    ['$startsWith', 'a number', 'takes text'],
    ['$endsWith', 'text', 'compares it with text only'],
    ['$regex', 'an array', 'takes text'],
  ])('%s and %s', (operator, type, takes) => {
    expect(mismatchText({ path: 'body.a', operator, type })).toBe(
      `body.a is ${type}: ${operator} ${takes}`,
    );
  });
});

test('an event that takes too many steps has failed, and goes to the destination', () => {
  const costly = { ...event('evt_1', true, true), isTooCostly: true };
  expect(ruleTrialView([costly])).toMatchObject({
    ...{ tried: 1, matched: 1, failed: 1, changed_total: 0 },
    samples: [{ output: 'matched', error: expect.stringContaining('too many steps') }],
  });
});
