import { expect, test } from 'vitest';
import { HEALTH_STATE } from '../../src/core/flow/health.ts';
import { ISSUE_KIND } from '../../src/core/issues/issue.ts';
import { UNJUDGED_REASON } from '../../src/core/judging/unjudged.ts';
import { DELIVERY_STATE, EVENT_STATUS, TRIGGER } from '../../src/core/model.ts';
import { VERIFICATION_STATE } from '../../src/core/proof/verification.ts';
import { issueStateCode, notifiedCode } from '../../src/store/shared/issues/issue-codes.ts';

/** On disk: a line may be added here, none changes. */
const ON_DISK = [
  [EVENT_STATUS, ['received', 'delivered', 'failed', 'dead_letter']],
  [DELIVERY_STATE, ['pending', 'succeeded', 'dead', 'cancelled']],
  [TRIGGER, ['capture', 'replay']],
  [HEALTH_STATE, ['healthy', 'failing', 'open', 'refusing']],
  [UNJUDGED_REASON, ['too_large', 'too_slow']],
  [VERIFICATION_STATE, ['unverified', 'verified', 'authenticated', 'failed']],
  [
    ISSUE_KIND,
    [
      'delivery',
      'verification',
      'backlog',
      'silence',
      'drift',
      'conflict',
      'alert',
      'unjudged',
      'uncomparable',
    ],
  ],
] as const;

test('names have the codes that are on disk', () => {
  for (const [names, codes] of ON_DISK) {
    expect(codes.map((_, code) => names.name(code))).toEqual(codes);
    expect(names.names.length).toBe(codes.length);
  }
  const states = ['forming', 'open', 'acknowledged', 'ignored', 'resolved'] as const;
  expect(states.map(issueStateCode)).toEqual([0, 1, 2, 3, 4]);
  expect(([null, 'open', 'resolved'] as const).map(notifiedCode)).toEqual([null, 1, 2]);
});

test('a code of a newer version has a name of its own', () => {
  expect(ISSUE_KIND.name(99)).toBe('unknown_99');
});
