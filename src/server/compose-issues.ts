import type { Config } from '../config/config.ts';
import { isSuccess } from '../core/http/is-success.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { AttemptKeeper } from '../maintenance/issues/attempt-keeper.ts';
import { createBacklogLoop } from '../maintenance/issues/backlog-loop.ts';
import { createBroughtSecretLoop } from '../maintenance/issues/brought-secret-loop.ts';
import { eventFacts, FactKeeper, failureFacts } from '../maintenance/issues/fact-keeper.ts';
import { PacedLoop } from '../maintenance/issues/paced-loop.ts';
import { createResolvedRetention } from '../maintenance/issues/resolved-retention.ts';
import { SilenceLoop } from '../maintenance/issues/silence-loop.ts';
import { createVerificationLoop } from '../maintenance/issues/verification-loop.ts';
import type { AppendResult } from '../store/contract/events.ts';
import type { SettledAttempt } from '../store/contract/queue.ts';
import type { Store } from '../store/contract/store.ts';

/**
 * How often the loops poll for work, ms. Three cases don't wake a loop: a success after a quiet
 * time, a delivery that ends without an attempt, and another node's attempt.
 */
const POLL_EVERY_MS = 5000;

export interface IssueParts {
  onCommitted(results: readonly AppendResult[]): void;
  onSettled(settled: readonly SettledAttempt[]): void;
  onExpectationChanged(endpointKey: number): void;
  onSourceChanged(): void;
  start(): void;
  /** Stops the loops. Resolves once their current slices are done. */
  stop(): Promise<void>;
}

/** Composes the loops that open, update and close issues. */
export function composeIssues(
  { issues, clock }: Store,
  { backlogAfterMs, retentionMs }: Config,
  log: Logger,
): IssueParts {
  const polling = (name: string, slice: () => Promise<boolean>) =>
    new PacedLoop({ name, slice, everyMs: POLL_EVERY_MS, clock, log });
  const attemptKeeper = new AttemptKeeper(issues, clock);
  const attempts = polling('looking for failed deliveries', () => attemptKeeper.slice());
  const conflictKeeper = new FactKeeper(issues, eventFacts(issues, 'conflict'), clock);
  const conflicts = polling('looking for conflicts', () => conflictKeeper.slice());
  const unjudgedKeeper = new FactKeeper(issues, eventFacts(issues, 'unjudged'), clock);
  const unjudged = polling('looking for events that could not be judged', () =>
    unjudgedKeeper.slice(),
  );
  const uncomparableKeeper = new FactKeeper(issues, eventFacts(issues, 'uncomparable'), clock);
  const uncomparable = polling('looking for values that filters could not compare', () =>
    uncomparableKeeper.slice(),
  );
  const terms = { afterMs: backlogAfterMs, retentionMs };
  const backlog = createBacklogLoop({ issues, terms, clock, log });
  const verification = createVerificationLoop({ issues, clock, log });
  const brought = createBroughtSecretLoop({ issues, clock, log });
  const failureKeepers = (['failures', 'rejections'] as const).map(
    (cursor) => new FactKeeper(issues, failureFacts(issues, cursor), clock),
  );
  const failures = polling('looking for failed verifications', async () => {
    const left = await Promise.all(failureKeepers.map((keeper) => keeper.slice()));
    const isAny = left.some(Boolean);
    if (isAny) verification.mayHaveChanged();
    return isAny;
  });
  const silence = new SilenceLoop({ issues, clock, log });
  const loops = [
    attempts,
    conflicts,
    unjudged,
    uncomparable,
    failures,
    backlog,
    verification,
    brought,
    silence,
    createResolvedRetention({ issues, clock, log }),
  ];
  return {
    onCommitted(results) {
      backlog.mayHaveChanged();
      verification.mayHaveChanged();
      silence.onCommitted(results);
      const isConflict = results.some((result) => result.stored && result.event.isConflicting);
      if (isConflict) conflicts.wakeSoon();
      if (results.some((one) => one.stored && one.event.unjudged !== null)) unjudged.wakeSoon();
      if (results.some(isFailed)) failures.wakeSoon();
    },
    onSettled(settled) {
      backlog.mayHaveChanged();
      const isFailure = settled.some(({ attempt }) => !isSuccess(attempt.responseCode));
      if (isFailure || attemptKeeper.awaitsSuccesses) attempts.wakeSoon();
    },
    onExpectationChanged: (endpointKey) => silence.mayHaveChanged(endpointKey),
    onSourceChanged: () => brought.mayHaveChanged(),
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

function isFailed(result: AppendResult): boolean {
  return result.stored
    ? result.event.verification.state === 'failed'
    : result.reason === 'signature_invalid';
}
