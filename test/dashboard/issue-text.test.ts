import { describe, expect, test } from 'vitest';
import type { IssueAnswer } from '../../src/api/issues/issue-answer.ts';
import { changesText } from '../../src/core/issues/drift-words.ts';
import { bySeverity } from '../../src/dashboard/text/issue-labels.ts';
import { driftChanges } from '../../src/dashboard/views/issues/drift-changes.ts';

describe('drifts', () => {
  const causeOf = (changes: readonly unknown[]) =>
    `Since 2026-11-21T14:05:00.000Z payloads of order differ from those before: ${changesText({
      streak: { from: 1, seq: 1, changes },
    })}.`;

  test('are read from the words of the cause', () => {
    const cause = causeOf([
      { kind: 'missing', path: 'body.city', expected: ['string'], seen: null },
      { kind: 'retyped', path: 'body.total', expected: ['string', 'null'], seen: 'number' },
      { kind: 'retyped', path: 'body.items', expected: ['object'], seen: 'array' },
      { kind: 'new', path: 'body.note', expected: [], seen: 'string' },
    ]);
    expect(driftChanges(cause)).toEqual({
      members: [
        { path: 'body.city', before: 'a string', now: 'missing' },
        { path: 'body.total', before: 'a string or null', now: 'a number' },
        { path: 'body.items', before: 'an object', now: 'an array' },
        { path: 'body.note', before: null, now: 'new' },
      ],
      more: 0,
    });
  });

  test('past those that the cause names are a number', () => {
    const change = { kind: 'missing', expected: ['string'], seen: null };
    const changes = Array.from({ length: 7 }, (_, i) => ({ ...change, path: `body.m${i}` }));
    expect(driftChanges(causeOf(changes))).toMatchObject({ members: { length: 5 }, more: 2 });
  });

  test('with other words stay a sentence', () => {
    for (const cause of [
      'Something else.',
      causeOf([]),
      causeOf([{ path: 'a; b', expected: [] }]),
    ]) {
      expect(driftChanges(cause).members).toEqual([]);
    }
  });
});

test('open issues come first, then the severe ones, then the last seen', () => {
  const issue = (id: string, kind: string, state: string, minute: number) =>
    ({ id, kind, state, last_at: `2026-11-21T14:0${minute}:00Z` }) as IssueAnswer;
  const sorted = bySeverity([
    issue('resolved', 'delivery', 'resolved', 9),
    issue('conflict', 'conflict', 'open', 8),
    issue('older', 'delivery', 'open', 1),
    issue('newer', 'delivery', 'open', 2),
    issue('acknowledged', 'delivery', 'acknowledged', 9),
  ]);
  expect(sorted.map(({ id }) => id)).toEqual([
    'newer',
    'older',
    'conflict',
    'acknowledged',
    'resolved',
  ]);
});
