import { expect, test } from 'vitest';
import { findingsOf } from '../../src/dashboard/views/event/diagnosis-text.ts';

test('a diagnosis is told as evidence and cause, destination by destination', () => {
  const text =
    '2 attempts to https://a.example/hook: #1 at 2026-11-24 02:00:00: 503 after 20 ms; #2 at 2026-11-24 02:01:00: 503 after 1.2 s. It answered "busy." The service is down (503). It was so each time.\n\nThe destination is paused.';
  const [first, second] = findingsOf(text);
  expect(first?.evidence).toMatch(/^2 attempts to .*1\.2 s\./);
  expect(`${first?.evidence} ${first?.cause}`).toBe(text.split('\n\n')[0]);
  expect(first?.cause).toMatch(/The service is down \(503\)\. It was so each time\.$/);
  expect(second).toEqual({ evidence: null, cause: 'The destination is paused.' });
});
