import { RESOLVED_KEPT_MS } from '../../core/issues/issue.ts';
import type { Logger, WakingClock } from '../../core/runtime/runtime.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { BackgroundLoop } from '../background-loop.ts';
import { TrustedClock } from '../trusted-clock.ts';

const EVERY_MS = 3_600_000;
const SLICE_ISSUES = 200;

/** Deletes issues that were resolved long ago. */
export function createResolvedRetention(options: {
  issues: Pick<IssueStore, 'dropResolved'>;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  const { issues, clock, log } = options;
  const trusted = new TrustedClock(clock, log, 'the deletion of old issues');
  return new BackgroundLoop({
    name: 'retention of issues',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const now = trusted.now();
      if (now === null) return false;
      const dropped = await issues.dropResolved(now - RESOLVED_KEPT_MS, SLICE_ISSUES);
      return dropped === SLICE_ISSUES;
    },
  });
}
