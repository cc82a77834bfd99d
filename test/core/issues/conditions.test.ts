import { describe, expect, test } from 'vitest';
import { backlogCondition } from '../../../src/core/issues/backlog-condition.ts';
import {
  type ConditionSeen,
  endCondition,
  foldCondition,
} from '../../../src/core/issues/condition-streak.ts';
import { foldEvents } from '../../../src/core/issues/event-streak.ts';
import type { Issue, IssueCause } from '../../../src/core/issues/issue.ts';
import { causeOf, suggestionOf, titleOf } from '../../../src/core/issues/issue-words.ts';
import { silenceCondition } from '../../../src/core/issues/silence-condition.ts';
import { verificationCondition } from '../../../src/core/issues/verification-condition.ts';
import { issueOf, stored } from './issue-of.ts';

const NOW = 10_000_000;
const CONTEXT = { now: NOW, makeId: () => 'iss_new' };
const CAUSE: IssueCause = { kind: 'silence', endpointKey: 1, destinationKey: 0, subject: '' };

const seen = (holds: boolean | null, ...at: number[]): ConditionSeen => ({
  userId: 'usr_1',
  holds,
  sightings: at.map((time) => ({ at: time, eventId: `evt_${time}` })),
});
const fold = (before: Issue | null, view: ConditionSeen) =>
  foldCondition(before, CAUSE, view, CONTEXT);
const standing = (fields: Partial<Issue> = {}) =>
  issueOf({ ...CAUSE, count: 1, firstAt: 100, lastAt: 100, eventIds: ['evt_100'], ...fields });

describe('a condition', () => {
  test('opens an issue when it holds, and none otherwise', () => {
    expect(fold(null, seen(true, 100, 200))).toMatchObject({
      ...{ state: 'open', count: 2, firstAt: 100, lastAt: 200, notifyAt: NOW },
      eventIds: ['evt_200', 'evt_100'],
    });
    expect(fold(null, seen(false))).toBeNull();
    expect(fold(null, seen(null, 100))).toBeNull();
  });

  test.each(['open', 'acknowledged', 'ignored'] as const)('counts on: %s', (state) => {
    const issue = standing({ state });
    expect(fold(issue, seen(true, 100))).toEqual(issue);
    expect(fold(issue, seen(null, 100, 300))).toMatchObject({ state, count: 2, lastAt: 300 });
  });

  test('closes when it is gone, and an ignored issue does not', () => {
    expect(fold(standing(), seen(false))).toMatchObject({
      ...{ state: 'resolved', lastAt: NOW, notifyAt: NOW },
    });
    const ignored = standing({ state: 'ignored' });
    expect(fold(ignored, seen(false))).toEqual(ignored);
    expect(endCondition(standing(), CONTEXT).state).toBe('resolved');
  });

  test('opens again with a new count, with its id', () => {
    const closed = { ...fold(standing({ count: 5 }), seen(false)), key: 1, version: 4 } as Issue;
    expect(fold(closed, seen(true, 50))).toMatchObject({
      ...{ id: 'iss_1', state: 'open', count: 1, firstAt: 50, eventIds: ['evt_50'] },
    });
  });

  test('that a person resolved while it lasts opens again at a new sighting only', () => {
    const resolved = standing({ state: 'resolved' });
    expect(fold(resolved, seen(true, 100))).toEqual(resolved);
    expect(fold(resolved, seen(true, 100, 300))).toMatchObject({
      ...{ state: 'open', count: 1, firstAt: 300, eventIds: ['evt_300'] },
    });
  });
});

describe('verification', () => {
  const judge = (newestFirst: string, passedBefore = false) =>
    verificationCondition({
      outcomes: [...newestFirst].map((one) => ({ passed: one === '+' })),
      passedBefore,
    });

  test.each([
    ['half of the last 20 fail', '----------++++++++++', false, true],
    ['nine of them fail', '---------+++++++++++', true, null],
    ['all fail, and one passed before', '--------------------', true, true],
    ['all fail, and none ever passed', '--------------------', false, null],
    ['the first ones to pass came after', '+++++-----------', false, null],
    ['one passed between', '----------+-', false, true],
    ['all pass', '++++++++++++++++++++', false, false],
    ['all of a few pass', '+++++++++++++++++++', false, null],
    ['there is none', '', false, null],
  ])('%s', (_, outcomes, passedBefore, holds) => {
    expect(judge(outcomes, passedBefore)).toBe(holds);
  });
});

describe('a backlog', () => {
  const lane = {
    userId: 'usr_1',
    state: 'active' as const,
    isBreakerOpen: false,
    oldestDueAt: NOW - 1001,
    oldest: { eventId: 'evt_1', receivedAt: NOW - 5000 },
    retentionMs: null,
  };
  const terms = { afterMs: 1000, retentionMs: null };

  test.each([
    ['due for too long', {}, {}, true],
    ['due for a while', { oldestDueAt: NOW - 1000 }, {}, false],
    ['due later', { oldestDueAt: NOW + 1000 }, {}, false],
    ['paused', { state: 'paused' as const }, {}, false],
    ['held by a breaker', { isBreakerOpen: true }, {}, false],
    [
      'paused, past the retention of the server',
      { state: 'paused' as const },
      { retentionMs: 4999 },
      true,
    ],
    ['held, past that of its endpoint', { isBreakerOpen: true, retentionMs: 4999 }, {}, true],
    [
      'held, within that of its endpoint',
      { isBreakerOpen: true, retentionMs: 5000 },
      { retentionMs: 1 },
      false,
    ],
  ])('%s', (_, fields, more, holds) => {
    expect(backlogCondition({ ...lane, ...fields }, { ...terms, ...more }, NOW).holds).toBe(holds);
  });
});

describe('silence', () => {
  const expectation = {
    ...{ userId: 'usr_1', expectEveryMs: 1000, expectedSince: NOW - 1001 },
    lastEvent: null,
  };
  test.each([
    ['longer than expected', {}, true],
    ['as long as expected', { expectedSince: NOW - 1000 }, false],
    ['an event came since', { lastEvent: { id: 'evt_1', receivedAt: NOW - 1000 } }, false],
    ['the last event is older', { lastEvent: { id: 'evt_1', receivedAt: 5 } }, true],
  ])('%s', (_, fields, holds) => {
    expect(silenceCondition({ ...expectation, ...fields }, NOW).holds).toBe(holds);
  });
});

test('conflicts count from one after each end', () => {
  const fact = (at: number) => ({ endpointKey: 1, userId: 'usr_1', eventId: `evt_${at}`, at });
  let issues = stored([], foldEvents('conflict', [], [fact(5), fact(5), fact(6)], CONTEXT));
  expect(issues[0]).toMatchObject({
    ...{ kind: 'conflict', state: 'open', count: 3, firstAt: 5, lastAt: 6, notifyAt: NOW },
    eventIds: ['evt_6', 'evt_5'],
  });
  issues = issues.map((issue) => ({ ...issue, state: 'resolved' }));
  issues = stored(issues, foldEvents('conflict', issues, [fact(9)], CONTEXT));
  expect(issues[0]).toMatchObject({ state: 'open', count: 1, firstAt: 9, eventIds: ['evt_9'] });
});

test('events that could not be judged are counted by what became of them', () => {
  const fact = (at: number, fate: 'held' | 'delivered') => ({
    ...{ endpointKey: 1, userId: 'usr_1', eventId: `evt_${at}`, at, fate },
  });
  const facts = [fact(1, 'delivered'), fact(2, 'held'), fact(3, 'held')];
  const [issue] = stored([], foldEvents('unjudged', [], facts, CONTEXT));
  expect(issue).toMatchObject({ kind: 'unjudged', count: 3, streak: { delivered: 1, held: 2 } });
  const named = {
    ...{ issue: issue as Issue, destination: null, channel: null },
    endpoint: { id: 'ep_1', name: 'shop' },
  };
  expect(titleOf(named)).toBe('shop: 3 events could not be judged');
  expect(causeOf(named)).toMatch(/1 event went to every destination .* 2 events wait for you/);
  expect(suggestionOf(named)).toContain('endpoints edit ep_1 --on-unjudged hold');
  expect(suggestionOf(named)).toContain('deliveries list ep_1 --state pending');
});
