import { SchemaWriter } from '../ai/learned/schema-writer.ts';
import type { Issue } from '../core/issues/issue.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import type { CpuUse } from '../core/turns/cpu-use.ts';
import { acceptDrift } from '../maintenance/types/accept-drift.ts';
import { ForgetRound } from '../maintenance/types/forget-round.ts';
import { LearningThread } from '../maintenance/types/learning-thread.ts';
import { TypeLearner } from '../maintenance/types/type-learner.ts';
import type { WorkRate } from '../maintenance/work-rate.ts';
import type { Store } from '../store/contract/store.ts';

export interface TypeParts {
  /**
   * Called after events were committed. The learner starts later, so that captures have the CPU.
   */
  onCaptured(): void;
  /** Called after events were deleted. */
  onDeleted(): void;
  /** Called when a person accepts a drift, before its issue is resolved (`accept-drift.ts`). */
  acceptDrift(issue: Issue): Promise<void>;
  schemas: SchemaWriter;
  start(): void;
  /** Stops the learner. Resolves once its current slice is done. */
  stop(): Promise<void>;
}

/** Composes the learning of event types. */
export function composeTypes(
  { types, issues, events, clock, cluster }: Store,
  others: WorkRate,
  log: Logger,
  cpu: CpuUse,
): TypeParts {
  const thread = new LearningThread(cpu);
  const learner = new TypeLearner({
    types,
    issues,
    thread,
    others,
    clock,
    log,
    cpu,
    hasNodes: cluster !== null,
  });
  const schemas = new SchemaWriter();
  const forgetting = new ForgetRound({ types, thread, clock, log });
  return {
    onCaptured: () => learner.onCaptured(),
    onDeleted: () => forgetting.onDeleted(),
    acceptDrift: (issue) => acceptDrift(issue, { types, events, thread }),
    schemas,
    start() {
      learner.start();
      forgetting.start();
    },
    async stop() {
      await Promise.all([learner.stop(), forgetting.stop()]);
      await Promise.all([thread.close(), schemas.close()]);
    },
  };
}
