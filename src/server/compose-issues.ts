import type { Config } from '../config/config.ts';
import { isSuccess } from '../core/http/is-success.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { BackgroundLoop } from '../maintenance/background-loop.ts';
import { AttemptKeeper } from '../maintenance/issues/attempt-keeper.ts';
import { createBacklogLoop } from '../maintenance/issues/backlog-loop.ts';
import { createBroughtSecretLoop } from '../maintenance/issues/brought-secret-loop.ts';
import { EventKeeper } from '../maintenance/issues/event-keeper.ts';
import { FailureKeeper } from '../maintenance/issues/failure-keeper.ts';
import { PacedWake } from '../maintenance/issues/paced-wake.ts';
import { createResolvedRetention } from '../maintenance/issues/resolved-retention.ts';
import { SilenceLoop } from '../maintenance/issues/silence-loop.ts';
import { createVerificationLoop } from '../maintenance/issues/verification-loop.ts';
import type { AppendResult } from '../store/contract/events.ts';
import type { SettledAttempt } from '../store/contract/queue.ts';
import type { Store } from '../store/contract/store.ts';

/**
 * Interval of looks that nothing wakes, ms. They see successes after a quiet time, deliveries
 * that end without an attempt, and the attempts of other nodes.
 */
const POLL_EVERY_MS = 5000;

export interface IssueParts {
  onCommitted(results: readonly AppendResult[]): void;
  onSettled(settled: readonly SettledAttempt[]): void;
  /** The endpoint's expectation has changed. */
  onExpectationChanged(endpointKey: number): void;
  /** The source of an endpoint has changed. */
  onSourceChanged(): void;
  start(): void;
  /** Resolves when the slices under way are done. */
  stop(): Promise<void>;
}

/** Composes what opens, feeds and closes issues. */
export function composeIssues(
  { issues, clock }: Store,
  { backlogAfterMs, retentionMs }: Config,
  log: Logger,
): IssueParts {
  const attemptKeeper = new AttemptKeeper(issues, clock);
  const attempts = new BackgroundLoop({
    name: 'the look for failed deliveries',
    log,
    everyMs: POLL_EVERY_MS,
    slice: () => attemptKeeper.slice(),
  });
  const conflictFacts = {
    kind: 'conflict',
    cursor: 'conflicts',
    read: (after: number, limit: number) => issues.conflictFacts(after, limit),
  } as const;
  const conflictKeeper = new EventKeeper(issues, conflictFacts, clock);
  const conflicts = new BackgroundLoop({
    name: 'the look for conflicts',
    log,
    everyMs: POLL_EVERY_MS,
    slice: () => conflictKeeper.slice(),
  });
  const unjudgedFacts = {
    kind: 'unjudged',
    cursor: 'unjudged',
    read: (after: number, limit: number) => issues.unjudgedFacts(after, limit),
  } as const;
  const unjudgedKeeper = new EventKeeper(issues, unjudgedFacts, clock);
  const unjudged = new BackgroundLoop({
    name: 'the look for events that could not be judged',
    log,
    everyMs: POLL_EVERY_MS,
    slice: () => unjudgedKeeper.slice(),
  });
  const terms = { afterMs: backlogAfterMs, retentionMs };
  const backlog = createBacklogLoop({ issues, terms, clock, log });
  const verification = createVerificationLoop({ issues, clock, log });
  const brought = createBroughtSecretLoop({ issues, clock, log });
  const failureKeepers = (['failures', 'rejections'] as const).map(
    (name) => new FailureKeeper(name, issues, clock),
  );
  const failures = new BackgroundLoop({
    name: 'the look for failed verifications',
    log,
    everyMs: POLL_EVERY_MS,
    async slice() {
      const left = await Promise.all(failureKeepers.map((keeper) => keeper.slice()));
      const isAny = left.some(Boolean);
      if (isAny) verification.mayHaveChanged();
      return isAny;
    },
  });
  const silence = new SilenceLoop({ issues, clock, log });
  const loops = [
    attempts,
    conflicts,
    unjudged,
    failures,
    backlog,
    verification,
    brought,
    silence,
    createResolvedRetention({ issues, clock, log }),
  ];
  const attemptWake = new PacedWake(attempts, clock);
  const conflictWake = new PacedWake(conflicts, clock);
  const unjudgedWake = new PacedWake(unjudged, clock);
  const failureWake = new PacedWake(failures, clock);
  return {
    onCommitted(results) {
      backlog.mayHaveChanged();
      verification.mayHaveChanged();
      silence.onCommitted(results);
      const isConflict = results.some((result) => result.stored && result.event.isConflicting);
      if (isConflict) conflictWake.wake();
      if (results.some((one) => one.stored && one.event.unjudged !== null)) unjudgedWake.wake();
      if (results.some(isFailed)) failureWake.wake();
    },
    onSettled(settled) {
      backlog.mayHaveChanged();
      const isFailure = settled.some(({ attempt }) => !isSuccess(attempt.responseCode));
      if (isFailure || attemptKeeper.awaitsSuccesses) attemptWake.wake();
    },
    onExpectationChanged: (endpointKey) => silence.mayHaveChanged(endpointKey),
    onSourceChanged: () => brought.mayHaveChanged(),
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      attemptWake.stop();
      conflictWake.stop();
      unjudgedWake.stop();
      failureWake.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Whether a request failed its verification. */
function isFailed(result: AppendResult): boolean {
  return result.stored
    ? result.event.verification.state === 'failed'
    : result.reason === 'signature_invalid';
}
