import { describe, expect, test } from 'vitest';
import type { ProviderAnswer } from '../../src/api/sources/provider-answer.ts';
import type { SourceCheckAnswer } from '../../src/api/sources/source-check-answer.ts';
import { VERIFICATION_REASONS, VERIFICATION_STATE } from '../../src/core/proof/verification.ts';
import {
  failureText,
  proofText,
  reasonText,
  STATE_MEANINGS,
  VERIFICATION_MARKS,
  VERIFICATIONS,
} from '../../src/dashboard/text/verification-text.ts';
import {
  checkText,
  failedRows,
  leftOutText,
  refusedText,
} from '../../src/dashboard/views/proof/check-text.ts';

const STRIPE = { name: 'stripe', title: 'Stripe' } as ProviderAnswer;

describe('a verdict', () => {
  test('has a mark and a meaning for each state, and no two marks are alike', () => {
    expect([...VERIFICATIONS].sort()).toEqual([...VERIFICATION_STATE.names].sort());
    expect(new Set(Object.values(VERIFICATION_MARKS)).size).toBe(VERIFICATION_STATE.names.length);
    expect(Object.keys(STATE_MEANINGS).sort()).toEqual([...VERIFICATION_STATE.names].sort());
  });

  test.each(VERIFICATION_REASONS)('of %s says why, and what to do', (reason) => {
    const { says, todo } = reasonText(reason);
    expect(says).toMatch(/^[A-Z].*[^_]\.$/);
    expect(says).not.toContain('_');
    if (reason !== 'edited') expect(todo).toMatch(/^[A-Z].*\.$/);
  });

  test.each(['new_reason', 'toString'])('of the unknown reason %s keeps its name', (reason) => {
    expect(reasonText(reason)).toEqual({ says: reason, todo: '' });
  });

  test('that a clock made fail says by how much, where the server does', () => {
    const failed = { state: 'failed', provider: 'stripe', secret: null } as const;
    const old = { ...failed, reason: 'timestamp_too_old' } as const;
    const message = 'it was signed 7 min 12 s before it came';
    const verification_failure = { message, hint: 'check the clock' };
    expect(failureText(old, { verification_failure })).toEqual({
      ...reasonText('timestamp_too_old'),
      says: `It was signed 7 min 12 s before it came.`,
    });
    expect(failureText(old)).toEqual(reasonText('timestamp_too_old'));
    const mismatch = { ...failed, reason: 'signature_mismatch' } as const;
    expect(failureText(mismatch, { verification_failure })).toEqual(
      reasonText('signature_mismatch'),
    );
    expect(failureText(verdict)).toBeNull();
  });

  const verdict = { state: 'verified', provider: 'stripe', secret: 2, reason: null } as const;
  test('names the provider and the secret that fitted', () => {
    expect(proofText(verdict, [STRIPE])).toBe('as Stripe, by secret 2');
    expect(proofText(verdict, null)).toBe('as stripe, by secret 2');
    expect(proofText({ ...verdict, secret: null }, [STRIPE])).toBe('as Stripe');
    expect(proofText({ ...verdict, state: 'failed', secret: null }, [STRIPE])).toBe(
      'checked as Stripe',
    );
    expect(proofText({ ...verdict, provider: null }, [STRIPE])).toBe('');
  });
});

describe('a check', () => {
  const check = (checked: number, verified: number, skipped = 0): SourceCheckAnswer => ({
    checked,
    verified,
    skipped,
    failed: {},
    hints: [],
    ended_early: false,
  });

  test.each([
    [check(0, 0), 'There is no event to check.'],
    [check(0, 0, 3), 'No event could be checked.'],
    [check(1, 1), 'The only event passes.'],
    [check(1, 0), 'The only event fails.'],
    [check(1000, 1000), 'All 1,000 events pass.'],
    [check(1000, 0), 'None of 1,000 events passes.'],
    [check(1000, 1), '1 of 1,000 events passes.'],
    [check(1000, 998), '998 of 1,000 events pass.'],
  ])('%j: %s', (given, text) => {
    expect(checkText(given)).toBe(text);
  });

  test.each([
    [check(0, 0), 'There is no past event to judge by.'],
    [check(1, 1), 'The only past event would have passed.'],
    [check(1, 0), 'The only past event would have been refused.'],
    [check(20, 20), 'All of the newest 20 events would have passed.'],
    [check(20, 17), '3 of the newest 20 events would have been refused.'],
  ])('says what enforcing would have refused: %j', (given, text) => {
    expect(refusedText(given)).toBe(text);
  });

  test('says what it left out', () => {
    expect(leftOutText(check(2, 2))).toBe('');
    expect(leftOutText({ ...check(2, 2, 1), ended_early: true })).toBe(
      '1 event left out: edited copies, checks of the URL, large bodies. Time ran out before the older events.',
    );
  });

  test('shows the commonest reason first', () => {
    const failed = { signature_missing: 2, signature_mismatch: 30, from_later: 1 };
    const rows = failedRows({ ...check(33, 0), failed });
    expect(rows.map(({ reason, count }) => [reason, count])).toEqual([
      ['signature_mismatch', 30],
      ['signature_missing', 2],
      ['from_later', 1],
    ]);
    expect(rows[0]?.says).toBe('No secret of the source fits its signature.');
    expect(rows[2]?.says).toBe('from_later');
  });
});
