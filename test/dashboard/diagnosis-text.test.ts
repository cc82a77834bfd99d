import { expect, test } from 'vitest';
import { findingsOf, stepsOf } from '../../src/dashboard/views/event/diagnosis-text.ts';

test('a diagnosis is told as evidence and cause, destination by destination', () => {
  const text =
    '2 attempts to https://a.example/hook: #1 at 2026-11-24 02:00:00: 503 after 20 ms; #2 at 2026-11-24 02:01:00: 503 after 1.2 s. It answered "busy." The service is down (503). It was so each time.\n\nThe destination is paused.';
  const [first, second] = findingsOf(text);
  expect(first?.evidence).toMatch(/^2 attempts to .*1\.2 s\./);
  expect(`${first?.evidence} ${first?.cause}`).toBe(text.split('\n\n')[0]);
  expect(first?.cause).toMatch(/The service is down \(503\)\. It was so each time\.$/);
  expect(second).toEqual({ evidence: null, cause: 'The destination is paused.' });
});

test('a step has its command apart', () => {
  expect(
    stepsOf("1. Start the service.\n2. Try it: curl -v -m 10 -X POST 'https://a.example/?a=1: 2'"),
  ).toEqual([
    { text: 'Start the service.', command: null },
    { text: 'Try it:', command: "curl -v -m 10 -X POST 'https://a.example/?a=1: 2'" },
  ]);
  expect(stepsOf('1. Is it up? curl -i https://a.example/')).toEqual([
    { text: 'Is it up?', command: 'curl -i https://a.example/' },
  ]);
  expect(stepsOf('')).toEqual([]);
});
