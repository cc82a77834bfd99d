import { expect, test } from 'vitest';
import { changesText } from '../../../src/core/issues/drift-words.ts';
import { causeOf, titleOf } from '../../../src/core/issues/issue-words.ts';
import type { Drift } from '../../../src/core/shapes/drift-of.ts';
import { namedIssue } from './named-issue.ts';

const CHANGES: Drift[] = [
  { kind: 'missing', path: 'body.city', expected: ['string'], seen: null },
  { kind: 'retyped', path: 'body.total', expected: ['string'], seen: 'number' },
  { kind: 'new', path: 'body.note', expected: [], seen: 'null' },
];
const streak = (changes: Drift[]) => ({ streak: { from: 1, seq: 1, changes } });

test('changes are named with what was before', () => {
  expect(changesText(streak(CHANGES))).toBe(
    'body.city is missing (was a string); body.total is a number (was a string); body.note is new',
  );
});

test('many changes are a number', () => {
  const changes = Array.from({ length: 9 }, (_, i) => ({
    ...(CHANGES[0] as Drift),
    path: `b${i}`,
  }));
  expect(changesText(streak(changes))).toMatch(/b4 is missing \(was a string\); and 4 more$/);
});

test('a stranger’s names are cleaned', () => {
  const path = `body."\u001b[31m\n${'x'.repeat(500)}"`;
  const text = changesText(streak([{ ...(CHANGES[0] as Drift), path }])) ?? '';
  expect(text).not.toMatch(/\p{Cc}/u);
  expect(text.length).toBeLessThan(150);
});

test('the cause says since when, the title which type', () => {
  const named = namedIssue({ kind: 'drift', subject: '', ...streak(CHANGES) });
  expect(titleOf(named)).toBe('orders: the payload of events without a type changed');
  expect(causeOf(named)).toBe(
    `Since 2026-03-14T09:26:53.000Z payloads of events without a type differ from those before: ${changesText(named.issue)}.`,
  );
});
