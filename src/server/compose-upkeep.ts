import { SESSION_LIMITS } from '../accounts/accounts.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { createAuditRetention } from '../maintenance/audit-retention.ts';
import type { BackgroundLoop } from '../maintenance/background-loop.ts';
import { createHeldExpiry } from '../maintenance/held-expiry.ts';
import { createPurge } from '../maintenance/purge.ts';
import { createReplayJobs } from '../maintenance/replay-jobs.ts';
import { createRetention } from '../maintenance/retention.ts';
import type { WorkRate } from '../maintenance/work-rate.ts';
import type { Store } from '../store/contract/store.ts';
import type { DeliveryParts } from './compose-delivery.ts';
import type { TypeParts } from './compose-types.ts';

export interface UpkeepParts {
  purge: BackgroundLoop;
  replayJobs: BackgroundLoop;
  start(): void;
  /** Stops the loops. Resolves once their current slices are done. */
  stop(): Promise<void>;
}

/** Composes the background work, such as purge, bulk replays and retention. */
export function composeUpkeep(
  { upkeep, replays, audit, clock }: Store,
  { scheduler, offerToNodes }: DeliveryParts,
  { retentionMs }: Config,
  { onDeleted }: Pick<TypeParts, 'onDeleted'>,
  { captures, all }: { captures: WorkRate; all: WorkRate },
  log: Logger,
): UpkeepParts {
  const purge = createPurge({ upkeep, others: all, sessionLimits: SESSION_LIMITS, clock, log });
  const replayJobs = createReplayJobs({
    replays,
    others: captures,
    clock,
    log,
    onQueued(destinationKeys) {
      scheduler.wake(destinationKeys);
      offerToNodes(destinationKeys);
    },
  });
  const loops = [
    purge,
    replayJobs,
    createHeldExpiry({ upkeep, clock, log }),
    createRetention({ upkeep, retentionMs, others: all, clock, log, onDeleted }),
    createAuditRetention({ audit, clock, log }),
  ];
  return {
    purge,
    replayJobs,
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
