import type { Clock, Logger } from '../core/runtime/runtime.ts';
import type { SessionLimits } from '../store/contract/accounts.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { BackgroundLoop } from './background-loop.ts';
import { DELETION_TERMS } from './deletion-terms.ts';
import { SlicePace } from './slice-pace.ts';
import type { WorkRate } from './work-rate.ts';

const EVERY_MS = 10 * 60_000;

/** Deletes the rows of deleted endpoints, and expired sessions. */
export function createPurge(options: {
  upkeep: Pick<UpkeepStore, 'purgeSlice' | 'dropExpiredSessions'>;
  /** The captures and deliveries that go first. */
  others: WorkRate;
  sessionLimits: SessionLimits;
  clock: Clock;
  log: Logger;
}): BackgroundLoop {
  const { upkeep, others, sessionLimits, clock, log } = options;
  const pace = new SlicePace(DELETION_TERMS, others, clock);
  return new BackgroundLoop({
    name: 'purge',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const { more } = await pace.run(
        (most) => upkeep.purgeSlice(most),
        ({ removed, heldMs }) => ({ units: removed, heldMs }),
      );
      if (!more) await upkeep.dropExpiredSessions(sessionLimits, clock.now());
      return more;
    },
    pauseMs: () => pace.pauseMs(),
  });
}
