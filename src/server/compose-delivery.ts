import type { Config } from '../config/config.ts';
import type { CloseStack } from '../core/runtime/close-stack.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { Subscribers } from '../core/runtime/subscribers.ts';
import type { Keys } from '../core/secrets/keys.ts';
import { attemptDelivery } from '../delivery/attempt/attempt-delivery.ts';
import { Dispatcher } from '../delivery/schedule/dispatcher.ts';
import { Scheduler } from '../delivery/schedule/scheduler.ts';
import { eventLoopShare, Throttle } from '../delivery/schedule/throttle.ts';
import { Transports } from '../delivery/transports/transports.ts';
import type { SettledAttempt } from '../store/contract/queue.ts';
import type { Store } from '../store/contract/store.ts';

/**
 * Limits of concurrent attempts. `bytes` limits the total size of the attempts' bodies. One
 * destination gets at most half of the slots, even if its own limit is higher.
 */
const DISPATCH_LIMITS = { slots: 256, slotsPerDestination: 128, bytes: 64 * 1024 * 1024 };

export interface DeliveryParts {
  scheduler: Scheduler;
  dispatcher: Dispatcher;
  throttle: Throttle;
  /** Notified once a commit of attempts is on disk. */
  settled: Subscribers<readonly SettledAttempt[]>;
  /** Throws `invalid_input` for a URL that must not be delivered to. */
  checkUrl(url: string): Promise<URL>;
  /** Signals other nodes that these destinations have changed. */
  reportChanged(destinationKeys: ReadonlySet<number>): void;
  /** Signals other nodes to claim the unclaimed deliveries of these destinations. */
  offerToNodes(destinationKeys: ReadonlySet<number>): void;
}

/** Composes the scheduler, the dispatcher, and the network of attempts. */
export function composeDelivery(
  { queue, clock, cluster }: Store,
  keys: Keys,
  config: Config,
  log: Logger,
  opened: CloseStack,
): DeliveryParts {
  const { attemptTimeoutMs } = config;
  const aborted = new AbortController();
  const transports = new Transports({
    allowPrivate: config.allowPrivateDestinations,
    timeoutMs: attemptTimeoutMs,
    smtp: config.smtp,
    clock,
    signal: aborted.signal,
    openSecret: (sealed, ownerId) => keys.open(sealed, ownerId),
  });
  opened.defer(() => transports.close());
  const webhook = transports.get('webhook');
  const context = {
    transport: transports,
    clock,
    log,
    policy: config.retry,
    random: Math.random,
  };
  const settled = new Subscribers<readonly SettledAttempt[]>('settle', log);
  const dispatcher = new Dispatcher(DISPATCH_LIMITS, clock);
  const throttle = new Throttle(clock, eventLoopShare());
  const scheduler = new Scheduler({
    queue,
    dispatcher,
    throttle,
    clock,
    log,
    breaker: config.breaker,
    attemptTimeoutMs,
    // An attempt with an order key may wait for another transaction's lock, so it gets its own
    // commit.
    isApart: ({ orderKey }) => cluster !== null && orderKey !== null,
    slots: cluster ?? null,
    attempt: (claim, outgoing) => attemptDelivery(claim, outgoing, context),
    abort: () => aborted.abort(),
    onSettled: (attempts) => settled.notify(attempts),
  });
  const unsubscribe = cluster?.subscribe((signal) => {
    if (signal.kind === 'changed') scheduler.expire(signal.destinationKeys);
    else if (signal.kind === 'due' && signal.destinationKeys)
      scheduler.wake(signal.destinationKeys);
    else if (signal.kind !== 'committed' && signal.kind !== 'outdated') scheduler.poll();
  });
  opened.defer(() => unsubscribe?.());

  return {
    scheduler,
    dispatcher,
    throttle,
    settled,
    checkUrl: async (url) => new URL((await webhook.validate({ url })).url),
    reportChanged(destinationKeys) {
      if (destinationKeys.size > 0) cluster?.send({ kind: 'changed', destinationKeys });
    },
    offerToNodes(destinationKeys) {
      if (destinationKeys.size > 0) cluster?.send({ kind: 'due', destinationKeys });
    },
  };
}
