import { AUDIT_KEPT_MS } from '../core/audit.ts';
import type { Logger, WakingClock } from '../core/runtime/runtime.ts';
import type { AuditStore } from '../store/contract/audit.ts';
import { createAgeLoop } from './age-loop.ts';
import type { BackgroundLoop } from './background-loop.ts';

const EVERY_MS = 3_600_000;
const SLICE_ENTRIES = 500;

/** Deletes audit entries after `AUDIT_KEPT_MS`, some accounts in each slice. */
export function createAuditRetention({
  audit,
  ...parts
}: {
  audit: Pick<AuditStore, 'retireSlice'>;
  clock: WakingClock;
  log: Logger;
}): BackgroundLoop {
  let after = '';
  return createAgeLoop({
    ...parts,
    name: 'the deletion of old audit entries',
    everyMs: EVERY_MS,
    async slice(now) {
      const { next } = await audit.retireSlice(now - AUDIT_KEPT_MS, after, SLICE_ENTRIES);
      after = next ?? '';
      return next !== null;
    },
  });
}
