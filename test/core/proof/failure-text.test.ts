import { expect, test } from 'vitest';
import { failureText } from '../../../src/core/proof/failure-text.ts';
import { VERIFICATION_REASONS } from '../../../src/core/proof/verification.ts';
import { formatExactDuration } from '../../../src/core/text/duration.ts';

const RECEIVED_AT = Date.parse('2026-03-14T09:26:53Z');

test('a signed time says how far off it is', () => {
  const clock = { signedAt: RECEIVED_AT - 432_000, receivedAt: RECEIVED_AT, allowedMs: 300_000 };
  expect(failureText('timestamp_too_old', clock).says).toBe(
    'it was signed 7 min 12 s before it came; at most 5 min are allowed',
  );
  const future = { ...clock, signedAt: RECEIVED_AT + 3_600_000 };
  expect(failureText('timestamp_in_future', future).says).toBe(
    'it was signed 1 h after it came; at most 5 min are allowed',
  );
  expect(failureText('timestamp_too_old').says).toBe('it was signed too long ago');
  expect(failureText('signature_mismatch', clock)).toEqual(failureText('signature_mismatch'));
});

test('each reason has a sentence and a step', () => {
  const texts = VERIFICATION_REASONS.map((reason) => failureText(reason));
  expect(new Set(texts.map(({ says }) => says)).size).toBe(VERIFICATION_REASONS.length);
});

test.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [30_000, '30 s'],
  [432_000, '7 min 12 s'],
  [3_600_000, '1 h'],
  [97_200_000, '27 h'],
  [273_600_000, '3 days 4 h'],
])('%d ms', (ms, text) => {
  expect(formatExactDuration(ms)).toBe(text);
});
