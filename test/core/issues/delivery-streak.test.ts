import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AttemptSeen,
  beginStreaks,
  CLOSING_SUCCESSES,
  foldAttempts,
} from '../../../src/core/issues/delivery-streak.ts';
import type { Issue } from '../../../src/core/issues/issue.ts';
import { CAUSE, issueOf, stored } from './issue-of.ts';

const NOW = 10_000_000;

let ids = 0;
const CONTEXT = {
  now: NOW,
  makeId: () => `iss_new_${++ids}`,
  idle: new Set<number>(),
};

const seen = (fields: Partial<AttemptSeen> = {}): AttemptSeen => ({
  destinationKey: 7,
  endpointKey: 1,
  userId: 'usr_1',
  isInternal: false,
  eventId: 'evt_1',
  isEdited: false,
  at: 200,
  code: 'http_503',
  isDead: false,
  opensBreaker: false,
  ...fields,
});
const success = (fields: Partial<AttemptSeen> = {}) => seen({ code: null, ...fields });
const many = (count: number, fact: AttemptSeen) => Array.from({ length: count }, () => fact);

const fold = (known: readonly Issue[], facts: readonly AttemptSeen[], idle: number[] = []) =>
  stored(known, foldAttempts(known, facts, { ...CONTEXT, idle: new Set(idle) }));

const only = (issues: readonly Issue[]): Issue => {
  expect(issues).toHaveLength(1);
  return issues[0] as Issue;
};

describe('a streak', () => {
  test('forms at a failure and is silent', () => {
    expect(only(fold([], [seen()]))).toMatchObject({
      ...CAUSE,
      state: 'forming',
      count: 1,
      firstAt: 200,
      lastAt: 200,
      eventIds: ['evt_1'],
      notifyAt: null,
    });
  });

  test.each([
    ['a delivery dies', { isDead: true }],
    ['the breaker opens', { opensBreaker: true }],
  ])('opens when %s, and counts its failures from the first one', (_, sign) => {
    const facts = [seen(), seen({ eventId: 'evt_2', at: 300 }), seen({ at: 400, ...sign })];
    expect(only(fold([], facts))).toMatchObject({
      ...{ state: 'open', count: 3, firstAt: 200, lastAt: 400 },
      ...{ eventIds: ['evt_1', 'evt_2'], notifyAt: NOW },
    });
  });

  test('is one for each code, and for each destination', () => {
    const facts = [
      seen({ isDead: true }),
      seen({ code: 'timeout', isDead: true }),
      seen({ destinationKey: 8, isDead: true }),
    ];
    expect(fold([], facts).map(({ destinationKey, subject }) => [destinationKey, subject])).toEqual(
      [
        [7, 'http_503'],
        [7, 'timeout'],
        [8, 'http_503'],
      ],
    );
  });

  test('is one for all statuses past the first twenty', () => {
    const codes = Array.from({ length: 100 }, (_, i) => `http_${400 + i}`);
    const dead = (code: string) => seen({ code, isDead: true, eventId: code });
    const found = fold([], [...codes.map(dead), dead('http_404'), seen({ destinationKey: 8 })]);
    expect(found.map(({ subject, count }) => [subject, count])).toEqual([
      ...codes.slice(0, 20).map((code) => [code, code === 'http_404' ? 2 : 1]),
      ['other', 80],
      ['http_503', 1],
    ]);
    expect(found[20]).toMatchObject({ state: 'open', notifyAt: NOW });
    expect(found[20]?.eventIds[0]).toBe('http_499');
    // Codes that no receiver can make up have their own, whatever it answers.
    const refused = fold(found, [dead('connect_refused')]);
    expect(refused.at(-1)).toMatchObject({ subject: 'connect_refused', notifyAt: NOW });
    // Resolved issues take no place.
    const resolved = found.map((issue) => ({ ...issue, state: 'resolved' as const }));
    const later = fold(resolved, ['http_510', 'http_404'].map(dead));
    const open = later.filter(({ state }) => state === 'open').map(({ subject }) => subject);
    expect(open.sort()).toEqual(['http_404', 'http_510']);
  });

  test('that ended before it opened leaves its place to another code', () => {
    const full = Array.from({ length: 20 }, (_, i) => seen({ code: `http_${400 + i}` }));
    const after = fold([], [...full, ...many(20, success()), seen({ code: 'http_500' })]);
    expect(after.map(({ subject }) => subject)).toEqual(['http_500']);
  });

  test('of a channel is an alert', () => {
    expect(only(fold([], [seen({ isInternal: true })])).kind).toBe('alert');
  });

  test('names its ten newest events, each once', () => {
    const facts = Array.from({ length: 15 }, (_, i) => seen({ eventId: `evt_${i % 12}` }));
    expect(only(fold([], facts)).eventIds).toEqual(
      [2, 1, 0, 11, 10, 9, 8, 7, 6, 5].map((i) => `evt_${i}`),
    );
  });
});

describe('an issue closes', () => {
  test('after twenty successes in a row, not after nineteen', () => {
    const [before] = fold([issueOf()], many(CLOSING_SUCCESSES - 1, success()));
    expect(before).toMatchObject({ state: 'open', successes: 19 });
    expect(only(fold([before as Issue], [success()]))).toMatchObject({
      ...{ state: 'resolved', lastAt: NOW, notifyAt: NOW },
    });
  });

  test('never while failures break the row; those with other codes do not', () => {
    const row = many(CLOSING_SUCCESSES - 1, success());
    const broken = fold([issueOf()], [...row, seen(), ...row]);
    expect(only(broken).state).toBe('open');
    const other = fold([issueOf()], [...row, seen({ code: 'timeout' }), success()]);
    expect(other.map(({ subject, state }) => [subject, state])).toEqual([
      ['http_503', 'resolved'],
      ['timeout', 'forming'],
    ]);
  });

  test('where nothing is open and a success came after the last failure', () => {
    const facts = [success(), seen()];
    expect(only(fold([issueOf()], facts, [7])).state).toBe('open');
    expect(only(fold([issueOf()], [...facts, success()], [7])).state).toBe('resolved');
    expect(only(fold([issueOf()], [...facts, success()], [8])).state).toBe('open');
  });

  test('silently where its opening was not told', () => {
    const untold = issueOf({ notified: null, notifiedAt: null, notifyAt: 5 });
    expect(only(fold([untold], [success()], [7]))).toMatchObject({
      state: 'resolved',
      notifyAt: null,
    });
  });

  test('acknowledged, too', () => {
    const known = issueOf({ state: 'acknowledged' });
    expect(only(fold([known], [success()], [7])).state).toBe('resolved');
  });

  test('and is dropped if it never opened', () => {
    expect(fold([issueOf({ state: 'forming' })], [success()], [7])).toEqual([]);
    expect(fold([issueOf({ state: 'forming' })], many(20, success()))).toEqual([]);
  });
});

describe('a long run of failures', () => {
  const AT = 1_000;
  /** Failures of different events, 20 s apart, so that the fifth ends a long run. */
  const failures = (...codes: (string | null)[]) =>
    codes.map((code, i) => seen({ code, eventId: `evt_${i}`, at: AT + i * 20_000 }));
  const open = (facts: readonly AttemptSeen[], known: readonly Issue[] = []) =>
    fold(known, facts)
      .filter(({ state }) => state === 'open')
      .map(({ subject }) => subject);
  const five = new Array<string>(5).fill('http_400');

  test('opens the issue of the fifth event that failed in a row, whatever the reasons', () => {
    expect(open(failures(...five.slice(1)))).toEqual([]);
    expect(open(failures(...five))).toEqual(['http_400']);
    expect(open(failures('http_400', 'http_503', 'http_400', 'timeout', 'http_410'))).toEqual([
      'http_410',
    ]);
    expect(open(failures('http_404', 'http_410', 'http_404', 'http_410', 'http_404'))).toEqual([
      'http_404',
    ]);
    const [issue] = fold([], failures(...five));
    expect(issue).toMatchObject({ count: 5, firstAt: AT, notifyAt: NOW });
  });

  test('takes a minute or more', () => {
    const at = (time: number) =>
      five.map((code, i) => seen({ code, eventId: `evt_${i}`, at: time }));
    expect(open([...at(AT), seen({ at: AT + 59_999 })])).toEqual([]);
    expect(open([...at(AT), seen({ at: AT + 60_000 })])).toEqual(['http_503']);
  });

  test('counts an event once, however often it is tried', () => {
    const thrice = [0, 1, 2].map((i) => seen({ eventId: 'evt_a', at: AT + i * 60_000 }));
    const later = (count: number) =>
      Array.from({ length: count }, (_, i) => seen({ eventId: `evt_${i}`, at: AT + 200_000 }));
    expect(open([...thrice, ...later(3)])).toEqual([]);
    expect(open([...thrice, ...later(4)])).toEqual(['http_503']);
  });

  test('ends with a success, also where a destination has several issues', () => {
    expect(open(failures('http_400', 'http_400', null, ...five.slice(1)))).toEqual([]);
    const known = [issueOf({ state: 'ignored' }), issueOf({ key: 2, subject: 'timeout' })];
    const after = fold(known, [...failures(...five.slice(1)), success()]);
    expect(after.filter(({ streak }) => 'run' in streak)).toEqual([]);
  });

  test('is another destination’s own', () => {
    const facts = failures(...five).map((fact, i) => ({ ...fact, destinationKey: i % 2 }));
    expect(open(facts)).toEqual([]);
  });

  test('counts neither edited events, nor those that die unverified', () => {
    const edited = failures(...five).map((fact) => ({ ...fact, isEdited: true, isDead: true }));
    expect(fold([], edited)).toEqual([]);
    expect(beginStreaks([], edited, CONTEXT).added).toEqual([]);
    const [known] = fold([issueOf()], edited);
    expect(known).toMatchObject({ state: 'open', count: 1 });
    // Four of senders and many others make no run, and end none.
    expect(open([...failures(...five.slice(1)), ...edited])).toEqual([]);
    const unverified = failures(...new Array<string>(6).fill('not_verified'));
    expect(open(unverified)).toEqual([]);
    const [one, ...others] = failures(...five);
    expect(open([one as AttemptSeen, ...edited, ...unverified, ...others])).toEqual(['http_400']);
  });

  test('counts an edited event whose failure opens the breaker', () => {
    expect(open([seen({ isEdited: true, opensBreaker: true })])).toEqual(['http_503']);
  });

  test('opens no alert of a channel', () => {
    expect(open(failures(...five).map((fact) => ({ ...fact, isInternal: true })))).toEqual([]);
  });

  test('starts again after a person resolved the issue', () => {
    const resolved = fold([], failures(...five)).map((issue) => ({
      ...issue,
      state: 'resolved' as const,
    }));
    const again = failures(...five);
    expect(open(again.slice(0, 4), resolved)).toEqual([]);
    expect(open(again, resolved)).toEqual(['http_400']);
  });
});

describe('what a person set', () => {
  test('ignored counts on, and never ends', () => {
    const known = issueOf({ state: 'ignored' });
    const after = fold([known], [seen({ isDead: true }), ...many(50, success())], [7]);
    expect(only(after)).toMatchObject({ state: 'ignored', count: 2, lastAt: 200, notifyAt: null });
  });

  test('acknowledged counts on, and is silent', () => {
    const known = issueOf({ state: 'acknowledged' });
    expect(only(fold([known], [seen({ isDead: true })]))).toMatchObject({
      ...{ state: 'acknowledged', count: 2, notifyAt: null },
    });
  });
});

describe('a resolved issue that fails again', () => {
  const resolved = issueOf({ state: 'resolved', count: 9, notified: 'resolved' });

  test('shows how it ended until a delivery dies; then it opens with a new count', () => {
    const again = only(fold([resolved], [seen(), seen()]));
    expect(again).toMatchObject({ state: 'resolved', count: 9, lastAt: 100 });
    const opened = only(fold([again], [seen({ at: 900, eventId: 'evt_9', isDead: true })]));
    expect(opened).toMatchObject({
      ...{ id: resolved.id, state: 'open', count: 3, firstAt: 200, lastAt: 900 },
      ...{ eventIds: ['evt_9', 'evt_1'], streak: {}, explanation: null },
      // At most once an hour: it was told at 100.
      notifyAt: NOW,
    });
  });

  test('is told at most once an hour', () => {
    const known = { ...resolved, notifiedAt: NOW - 60_000 };
    expect(only(fold([known], [seen({ isDead: true })])).notifyAt).toBe(NOW - 60_000 + 3_600_000);
  });

  test('forgets a streak that ended before it opened', () => {
    const again = fold([resolved], [seen()]);
    expect(only(fold(again, [success()], [7])).streak).toEqual({});
    expect(only(fold(again, many(20, success()))).streak).toEqual({});
  });
});

describe('an empty streak', () => {
  test('begins where a destination has none', () => {
    const begun = beginStreaks([], [seen(), seen({ code: 'timeout' }), success()], CONTEXT);
    expect(begun.added).toHaveLength(1);
    expect(begun.added[0]).toMatchObject({ ...CAUSE, state: 'forming', count: 0 });
  });

  test('begins in a resolved issue', () => {
    const known = issueOf({ state: 'resolved', count: 9 });
    const begun = stored([known], beginStreaks([known], [seen()], CONTEXT));
    expect(only(begun)).toMatchObject({ state: 'resolved', count: 9, streak: { count: 0 } });
    expect(beginStreaks(begun, [seen()], CONTEXT)).toEqual({ added: [], changed: [], dropped: [] });
  });

  test('does not begin where there is one with another code', () => {
    const begun = beginStreaks([issueOf({ subject: 'timeout' })], [seen()], CONTEXT);
    expect(begun).toEqual({ added: [], changed: [], dropped: [] });
  });

  test('counts nothing, and successes before its first failure say nothing', () => {
    const begun = stored([], beginStreaks([], [seen()], CONTEXT));
    const after = only(fold(begun, [success(), success(), seen({ isDead: true })]));
    expect(after).toMatchObject({ state: 'open', count: 1, firstAt: 200, successes: 0 });
  });
});

const factsOf = (codes: readonly string[], successes: number) =>
  fc.array(
    fc.record({
      destinationKey: fc.constantFrom(7, 8),
      endpointKey: fc.constant(1),
      userId: fc.constant('usr_1'),
      isInternal: fc.constant(false),
      eventId: fc.integer({ min: 0, max: 15 }).map((i) => `evt_${i}`),
      isEdited: fc.constant(false),
      at: fc.integer({ min: 0, max: 1000 }),
      code: fc.oneof(
        { weight: successes, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...codes) },
      ),
      isDead: fc.boolean(),
      opensBreaker: fc.boolean(),
    }),
    { maxLength: 120, size: 'max' },
  );
const facts = factsOf(['http_503', 'timeout'], 8);
const factsOfManyCodes = factsOf(
  Array.from({ length: 30 }, (_, i) => `http_${500 + i}`),
  1,
);

/** What anybody can see of issues: not their rows. */
const visible = (issues: readonly Issue[]) =>
  issues
    .map(({ key: _, id: __, version: ___, ...rest }) => rest)
    .sort((a, b) =>
      `${a.destinationKey} ${a.subject}`.localeCompare(`${b.destinationKey} ${b.subject}`),
    );

describe('folding', () => {
  test('gives the same issues in any slices, with empty courses begun or not', () => {
    fc.assert(
      fc.property(
        fc.oneof(facts, factsOfManyCodes),
        fc.array(fc.integer({ min: 1, max: 30 })),
        fc.boolean(),
        (all, cuts, begins) => {
          const whole = fold([], all);
          let issues: Issue[] = [];
          let from = 0;
          for (const cut of [...cuts, all.length]) {
            const slice = all.slice(from, from + cut);
            from += cut;
            if (begins) issues = stored(issues, beginStreaks(issues, slice, CONTEXT));
            issues = fold(issues, slice);
          }
          expect(visible(issues)).toEqual(visible(whole));
        },
      ),
    );
  });

  test('counts each failure since the streak began', () => {
    fc.assert(
      fc.property(facts, (all) => {
        for (const issue of fold([], all).filter(({ state }) => state === 'open')) {
          const own = all.filter(({ destinationKey }) => destinationKey === issue.destinationKey);
          let begin = 0;
          let row = 0;
          own.forEach(({ code }, i) => {
            if (code === null) row++;
            if (code === issue.subject) row = 0;
            if (row === CLOSING_SUCCESSES) begin = i + 1;
          });
          const failures = own.slice(begin).filter(({ code }) => code === issue.subject);
          expect(issue.count).toBe(failures.length);
          expect(failures.some(({ isDead, opensBreaker }) => isDead || opensBreaker)).toBe(true);
        }
      }),
    );
  });
});
