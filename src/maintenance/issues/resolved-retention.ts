import { RESOLVED_KEPT_MS } from '../../core/issues/issue.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { createAgeLoop } from '../age-loop.ts';
import type { BackgroundLoop } from '../background-loop.ts';

const EVERY_MS = 3_600_000;
const SLICE_ISSUES = 200;

/** Deletes issues that were resolved longer than `RESOLVED_KEPT_MS` ago. */
export function createResolvedRetention({
  issues,
  ...parts
}: {
  issues: Pick<IssueStore, 'dropResolved'>;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  return createAgeLoop({
    ...parts,
    name: 'the deletion of old issues',
    everyMs: EVERY_MS,
    async slice(now) {
      const dropped = await issues.dropResolved(now - RESOLVED_KEPT_MS, SLICE_ISSUES);
      return dropped === SLICE_ISSUES;
    },
  });
}
