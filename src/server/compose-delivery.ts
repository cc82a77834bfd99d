import type { Config } from '../config.ts';
import type { CloseStack } from '../core/close-stack.ts';
import type { Logger } from '../core/runtime.ts';
import type { Keys } from '../core/secrets/keys.ts';
import { Subscribers } from '../core/subscribers.ts';
import { attemptDelivery } from '../delivery/attempt/attempt-delivery.ts';
import { StaleRetries } from '../delivery/attempt/stale-retries.ts';
import { checkDestinationUrl } from '../delivery/network/destination-url.ts';
import { NameResolver } from '../delivery/network/name-resolver.ts';
import { Dispatcher } from '../delivery/schedule/dispatcher.ts';
import { Scheduler } from '../delivery/schedule/scheduler.ts';
import { eventLoopShare, Throttle } from '../delivery/schedule/throttle.ts';
import { createDeliveryAgent } from '../delivery/transports/webhook/agent.ts';
import type { SettledAttempt } from '../store/contract/queue.ts';
import type { Store } from '../store/contract/store.ts';

/** Most attempts at once, in all and to one destination, and most bytes of their bodies. */
const DISPATCH_LIMITS = { slots: 256, slotsPerDestination: 16, bytes: 64 * 1024 * 1024 };

export interface DeliveryParts {
  scheduler: Scheduler;
  dispatcher: Dispatcher;
  throttle: Throttle;
  /** Notified after each commit of attempts, once they are on disk. */
  settled: Subscribers<readonly SettledAttempt[]>;
  /** Throws `invalid_input` for a URL that must not be delivered to. */
  checkUrl(url: string): Promise<URL>;
  /** Signals other nodes to claim the unclaimed deliveries of these destinations. */
  offerToNodes(destinationKeys: ReadonlySet<number>): void;
}

/** Composes delivery: the scheduler, the dispatcher, and the network of attempts. */
export function composeDelivery(
  { queue, clock, cluster }: Store,
  keys: Keys,
  config: Config,
  log: Logger,
  opened: CloseStack,
): DeliveryParts {
  const { allowPrivateDestinations: allowPrivate, attemptTimeoutMs } = config;
  const names = new NameResolver({ allowPrivate, timeoutMs: attemptTimeoutMs });
  opened.defer(() => names.close());
  const agent = createDeliveryAgent({
    allowPrivate,
    connectTimeoutMs: attemptTimeoutMs,
    lookup: names.lookup,
  });
  opened.defer(() => agent.destroy());

  const aborted = new AbortController();
  const attemptOptions = {
    agent,
    clock,
    log,
    timeoutMs: attemptTimeoutMs,
    signal: aborted.signal,
    policy: config.retry,
    random: Math.random,
    staleRetries: new StaleRetries(),
    openSecret: (sealed: Uint8Array, destinationId: string) => keys.open(sealed, destinationId),
  };
  const settled = new Subscribers<readonly SettledAttempt[]>('settle', log);
  const dispatcher = new Dispatcher(DISPATCH_LIMITS);
  const throttle = new Throttle(clock, eventLoopShare());
  const scheduler = new Scheduler({
    queue,
    dispatcher,
    throttle,
    clock,
    log,
    attemptTimeoutMs,
    attempt: (claim, outgoing) => attemptDelivery(claim, outgoing, attemptOptions),
    abort: () => aborted.abort(),
    onSettled: (attempts) => settled.notify(attempts),
  });
  const unsubscribe = cluster?.subscribe((signal) => {
    if (signal.kind === 'due' && signal.destinationKeys) scheduler.wake(signal.destinationKeys);
    else if (signal.kind !== 'committed') scheduler.look();
  });
  opened.defer(() => unsubscribe?.());

  return {
    scheduler,
    dispatcher,
    throttle,
    settled,
    checkUrl: (url) =>
      checkDestinationUrl(url, { allowPrivate, resolve: (name) => names.resolve(name) }),
    offerToNodes(destinationKeys) {
      if (destinationKeys.size > 0) cluster?.send({ kind: 'due', destinationKeys });
    },
  };
}
