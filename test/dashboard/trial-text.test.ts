import { expect, test } from 'vitest';
import type { RuleTrialAnswer } from '../../src/api/rules/rule-answer.ts';
import {
  changeTexts,
  faultCount,
  ruleText,
  trialFacts,
  trialFaults,
} from '../../src/dashboard/text/trial-text.ts';

const changed = (lost: number, won: number): RuleTrialAnswer['changed'] => [
  ...Array.from({ length: lost }, (_, i) => ({
    event_id: `evt_${i}`,
    before: 'matched' as const,
    after: 'dropped' as const,
  })),
  ...Array.from({ length: won }, (_, i) => ({
    event_id: `evt_w${i}`,
    before: 'dropped' as const,
    after: 'matched' as const,
  })),
];

const trial = (
  lost: number,
  won: number,
  more: Partial<RuleTrialAnswer> = {},
): RuleTrialAnswer => ({
  tried: 1000,
  matched: 40,
  dropped: 960,
  failed: 0,
  changed: changed(lost, won),
  changed_total: lost + won,
  samples: [],
  ...more,
});

test.each([
  [trial(3, 0), '1,000 tried, 40 match, 960 are dropped, 3 change sides'],
  [
    trial(1, 0, { matched: 1, dropped: 1 }),
    '1,000 tried, 1 matches, 1 is dropped, 1 changes sides',
  ],
  [trial(0, 0), '1,000 tried, 40 match, 960 are dropped, none changes sides'],
  [trial(0, 0, { tried: 0 }), 'There is no event to try it on.'],
])('a trial says what a filter would have done: %#', (given, text) => {
  expect(trialFacts(given).join(', ')).toBe(text);
});

test.each([
  [trial(34, 0), ['34 of the last 1,000 would no longer be delivered']],
  [
    trial(2, 5),
    [
      '2 of the last 1,000 would no longer be delivered',
      '5 of the last 1,000 would be delivered, but aren’t now',
    ],
  ],
  [trial(1, 0, { tried: 1 }), ['1 of the only event would no longer be delivered']],
  // The answer holds the newest ones only.
  [
    trial(1000, 0, { tried: 9000, changed_total: 4000 }),
    ['At least 1,000 of the last 9,000 would no longer be delivered'],
  ],
  [trial(0, 0), []],
])('a save says what changes sides: %#', (given, texts) => {
  expect(changeTexts(given)).toEqual(texts);
});

test('a value that an operator can’t take is named once, with its events', () => {
  const sample = (event_id: string, error?: string) => ({
    ...{ event_id, output: 'dropped' as const, logs: [], diff: null },
    ...(error !== undefined && { error }),
  });
  const text = 'body.n is text: $gte compares it with a number only if it is one, such as "500.00"';
  const samples = [
    sample('evt_1'),
    sample('evt_2', text),
    sample('evt_3', 'x'),
    sample('evt_4', text),
  ];
  expect(trialFaults(samples)).toEqual([
    { message: text, eventIds: ['evt_2', 'evt_4'] },
    { message: 'x', eventIds: ['evt_3'] },
  ]);
  expect(faultCount(1)).toBe('1 event has a value that the filter can’t take.');
  expect(faultCount(1200)).toBe('1,200 events have a value that the filter can’t take.');
});

test('a rule is shown as it was written', () => {
  expect(ruleText(null)).toBe('');
  expect(ruleText('body.a=1')).toBe('body.a=1');
  expect(ruleText({ body: { a: 1 } })).toBe('{"body":{"a":1}}');
});
