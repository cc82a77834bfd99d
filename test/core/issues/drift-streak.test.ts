import { describe, expect, test } from 'vitest';
import {
  afterDrifts,
  type DriftingEvent,
  driftStreakOf,
  driftWatch,
} from '../../../src/core/issues/drift-streak.ts';
import type { Issue } from '../../../src/core/issues/issue.ts';
import type { Drift } from '../../../src/core/shapes/drift-of.ts';
import { issueOf } from './issue-of.ts';

const CAUSE = {
  ...{ id: 'iss_new', userId: 'usr_1', kind: 'drift' as const },
  ...{ endpointKey: 1, destinationKey: 0, subject: 'order' },
};
const NOW = 5000;

const missing = (path: string): Drift => ({
  kind: 'missing',
  path,
  expected: ['string'],
  seen: null,
});
const note = (path: string): Drift => ({ kind: 'new', path, expected: [], seen: 'string' });

function event(seq: number, drifts: Drift[] = [missing('body.a')]): DriftingEvent {
  return { seq, id: `evt_${seq}`, receivedAt: 100 * seq, drifts };
}

function after(issue: Issue | undefined, events: readonly DriftingEvent[]): Issue {
  const next = afterDrifts(CAUSE, issue, events, NOW);
  if (!next) throw new Error('nothing happened');
  return { key: 1, version: 1, ...next };
}

test('a first drift opens an issue', () => {
  expect(after(undefined, [event(7), event(8)])).toMatchObject({
    id: 'iss_new',
    state: 'open',
    count: 2,
    firstAt: 700,
    lastAt: 800,
    eventIds: ['evt_8', 'evt_7'],
    streak: { from: 7, seq: 8, changes: [missing('body.a')] },
    notified: null,
    notifyAt: NOW,
  });
});

test('events that are read again count once', () => {
  const issue = after(undefined, [event(7), event(8)]);
  expect(afterDrifts(CAUSE, issue, [event(7), event(8)], NOW)).toBeNull();
  expect(after(issue, [event(8), event(9)])).toMatchObject({
    count: 3,
    eventIds: ['evt_9', 'evt_8', 'evt_7'],
    streak: { from: 7, seq: 9 },
  });
});

test.each(['acknowledged', 'ignored'] as const)('an %s issue counts on, silently', (state) => {
  const issue = issueOf({ ...CAUSE, state, count: 4, streak: { from: 1, seq: 3, changes: [] } });
  expect(after(issue, [event(4)])).toMatchObject({
    state,
    count: 5,
    notifyAt: null,
    id: 'iss_new',
  });
});

test('after its end a drift is another streak of the same issue', () => {
  const issue = issueOf({
    ...CAUSE,
    ...{ id: 'iss_old', state: 'resolved', count: 40, notified: 'resolved', notifiedAt: 100 },
    streak: { from: 1, seq: 6, changes: [missing('body.old')] },
  });
  const next = after(issue, [event(6), event(7, [missing('body.b')])]);
  expect(next).toMatchObject({ id: 'iss_old', state: 'open', count: 1, eventIds: ['evt_7'] });
  expect(next.streak).toEqual({ from: 7, seq: 7, changes: [missing('body.b')] });
  expect(next.notifyAt).toBe(100 + 3_600_000);
});

test('changes name each member once, alarms first', () => {
  const events = [event(1, [note('body.n'), missing('body.a')]), event(2, [missing('body.b')])];
  const { changes } = driftStreakOf(after(undefined, events));
  expect(changes).toEqual([missing('body.a'), missing('body.b'), note('body.n')]);
});

test('a streak is at most 4 KiB, and keeps 10 events', () => {
  let issue: Issue | undefined;
  for (let seq = 1; seq <= 300; seq++) {
    issue = after(issue, [event(seq, [missing(`body.${'ä'.repeat(100)}${seq}`)])]);
  }
  expect(issue?.count).toBe(300);
  expect(issue?.eventIds).toHaveLength(10);
  expect(Buffer.byteLength(JSON.stringify(issue?.streak))).toBeLessThan(4096);
});

describe('what the learner watches for', () => {
  const streak = { from: 5, seq: 9, changes: [] };
  test.each([
    ['no issue', undefined, { quietTo: 0, isDrifting: false }],
    ['an open one', issueOf({ state: 'open', streak }), { quietTo: 4, isDrifting: true }],
    ['an ignored one', issueOf({ state: 'ignored', streak }), { quietTo: 4, isDrifting: true }],
    ['a resolved one', issueOf({ state: 'resolved', streak }), { quietTo: 9, isDrifting: false }],
  ])('%s', (_, issue, watch) => {
    expect(driftWatch(issue)).toEqual(watch);
  });
});
