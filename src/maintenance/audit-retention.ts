import { AUDIT_KEPT_MS } from '../core/audit.ts';
import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import type { AuditStore } from '../store/contract/audit.ts';
import { BackgroundLoop } from './background-loop.ts';
import { TrustedClock } from './trusted-clock.ts';

const EVERY_MS = 3_600_000;
const SLICE_ENTRIES = 500;

/** Deletes audit entries older than a year, some accounts at a time. */
export function createAuditRetention(options: {
  audit: Pick<AuditStore, 'retireSlice'>;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  const { audit, clock, log } = options;
  const trusted = new TrustedClock(clock, log, 'the deletion of old audit entries');
  let after = '';
  return new BackgroundLoop({
    name: 'audit retention',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const now = trusted.now();
      if (now === null) return false;
      const { next } = await audit.retireSlice(now - AUDIT_KEPT_MS, after, SLICE_ENTRIES);
      after = next ?? '';
      return next !== null;
    },
  });
}
