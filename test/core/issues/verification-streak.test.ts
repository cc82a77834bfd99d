import { expect, test } from 'vitest';
import type { Issue } from '../../../src/core/issues/issue.ts';
import type { NewIssue } from '../../../src/core/issues/issue-draft.ts';
import {
  afterJudging,
  type FailureSeen,
  foldFailures,
  verificationCause,
} from '../../../src/core/issues/verification-streak.ts';
import { issueOf, stored } from './issue-of.ts';

const NOW = 1000;
const context = { now: NOW, makeId: () => 'iss_new' };

const failures = (...times: number[]): FailureSeen[] =>
  times.map((at) => ({ endpointKey: 1, userId: 'usr_1', eventId: `evt_${at}`, at }));

function fold(known: readonly Issue[], facts: readonly FailureSeen[]): Issue {
  const [issue] = stored(known, foldFailures(known, facts, context));
  return issue as Issue;
}

const standing = (fields: Partial<Issue>): Issue =>
  issueOf({ ...verificationCause(1), eventIds: [], ...fields });

test('failures wait until the issue opens, which has all of them', () => {
  const first = fold([], failures(...Array.from({ length: 300 }, (_, i) => i)));
  expect(first).toMatchObject({ state: 'forming', count: 0 });
  expect(afterJudging(first, null, NOW)).toBe(first);
  const opened = afterJudging(fold([first], failures(400)), true, NOW) as NewIssue;
  expect(opened).toMatchObject({ state: 'open', count: 301, firstAt: 0, lastAt: 400, streak: {} });
  expect(opened.eventIds).toHaveLength(10);
  expect(fold([standing({ ...opened })], failures(500))).toMatchObject({ count: 302, lastAt: 500 });
});

test('failures before the newest requests passed don’t count for the next issue', () => {
  expect(afterJudging(fold([], failures(1)), false, NOW)).toBeNull();
  const resolved = afterJudging(standing({ count: 7 }), false, NOW) as NewIssue;
  expect(resolved).toMatchObject({ state: 'resolved', count: 7 });
  const waiting = fold([standing({ ...resolved })], failures(2000, 2001));
  expect(waiting).toMatchObject({ state: 'resolved', count: 7 });
  expect(afterJudging(waiting, false, NOW)).toMatchObject({ state: 'resolved', streak: {} });
  expect(afterJudging(waiting, true, NOW)).toMatchObject({
    state: 'open',
    count: 2,
    firstAt: 2000,
  });
});

test('one that a person resolved opens again at the next failure, and an ignored one counts on', () => {
  const resolved = standing({ state: 'resolved' });
  expect(afterJudging(resolved, true, NOW)).toBe(resolved);
  const ignored = fold([standing({ state: 'ignored' })], failures(300));
  expect(ignored).toMatchObject({ state: 'ignored', count: 2 });
  expect(afterJudging(ignored, false, NOW)).toBe(ignored);
});

test('a rejected request counts without an event', () => {
  const rejected = failures(300).map((fact) => ({ ...fact, eventId: null }));
  expect(fold([standing({})], rejected)).toMatchObject({ count: 2, eventIds: [] });
});
