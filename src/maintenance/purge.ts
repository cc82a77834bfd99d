import type { Clock, Logger } from '../core/runtime/runtime.ts';
import type { SessionLimits } from '../store/contract/accounts.ts';
import type { UpkeepStore } from '../store/contract/upkeep.ts';
import { BackgroundLoop } from './background-loop.ts';

const EVERY_MS = 10 * 60_000;
const SLICE_EVENTS = 200;

/** Deletes the rows of deleted endpoints, and expired sessions. */
export function createPurge(options: {
  upkeep: UpkeepStore;
  sessionLimits: SessionLimits;
  clock: Clock;
  log: Logger;
}): BackgroundLoop {
  const { upkeep, sessionLimits, clock, log } = options;
  return new BackgroundLoop({
    name: 'purge',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const { more } = await upkeep.purgeSlice(SLICE_EVENTS);
      if (!more) await upkeep.dropExpiredSessions(sessionLimits, clock.now());
      return more;
    },
  });
}
