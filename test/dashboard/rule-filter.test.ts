import { describe, expect, test } from 'vitest';
import { ApiError, errorOf } from '../../src/dashboard/model/api-error.ts';
import { faultText, fieldOf } from '../../src/dashboard/text/events/filter-fault.ts';
import { firstFault, ruleText, trialText } from '../../src/dashboard/text/rule-trial.ts';

const invalid = (...paths: string[]) =>
  new ApiError(
    400,
    'invalid_input',
    'no',
    null,
    paths.map((path) => ({ path, message: `${path} is wrong` })),
  );

describe('the error of a filter', () => {
  const values = { type: '', where: 'body.a=1' };

  test('stands at its field', () => {
    expect(fieldOf(invalid('where'), values)).toBe('where');
    expect(fieldOf(invalid('type'), values)).toBe('type');
    expect(faultText(invalid('from', 'where'), 'where')).toBe('where is wrong');
  });

  test('of another field, or without a field, is shown by the list', () => {
    expect(fieldOf(invalid('q'), values)).toBeNull();
    expect(fieldOf(new ApiError(503, 'overloaded', 'no'), values)).toBeNull();
  });

  test('a search that takes too long is the rule’s', () => {
    const slow = new ApiError(503, 'search_too_long', 'no');
    expect(fieldOf(slow, values)).toBe('where');
    expect(fieldOf(slow, { type: 'a', where: '' })).toBeNull();
    expect(faultText(slow, 'where')).toMatch(/took too long/);
  });

  test('comes from the answer', async () => {
    const issues = [{ path: 'where', message: 'column 6: a name is missing' }];
    const body = { error: { code: 'invalid_input', message: 'where: …', issues } };
    const error = await errorOf(Response.json(body, { status: 400 }));
    expect(faultText(error, 'where')).toBe('column 6: a name is missing');
    expect((await errorOf(new Response('<html>', { status: 502 }))).issues).toEqual([]);
  });
});

describe('a trial', () => {
  const changed = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ event_id: `evt_${i}` }));
  const trial = { tried: 1000, matched: 40, dropped: 960, changed: changed(3), samples: [] };

  test.each([
    [trial, '40 match, 960 are dropped; 3 change sides'],
    [
      { ...trial, matched: 1, dropped: 1, changed: changed(1) },
      '1 matches, 1 is dropped; 1 changes sides',
    ],
    [
      { ...trial, matched: 0, dropped: 1000, changed: [] },
      '0 match, 1,000 are dropped; 0 change sides',
    ],
    [
      { ...trial, tried: 0, matched: 0, dropped: 0, changed: [] },
      'There is no event to try it on.',
    ],
  ])('%#', (given, text) => {
    expect(trialText(given)).toBe(text);
  });

  test('names the first value that an operator can’t take', () => {
    const samples = [
      { event_id: 'evt_1' },
      { event_id: 'evt_2', error: 'body.a is text' },
      { event_id: 'evt_3', error: 'body.a is null' },
    ];
    expect(firstFault({ ...trial, samples })).toBe('evt_2: body.a is text');
    expect(firstFault(trial)).toBeNull();
  });
});

test.each([
  [null, ''],
  ['body.a=1', 'body.a=1'],
  [{ body: { a: 1 } }, '{"body":{"a":1}}'],
])('the rule %j is shown as it was written', (filter, text) => {
  expect(ruleText(filter)).toBe(text);
});
