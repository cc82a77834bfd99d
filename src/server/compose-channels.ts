import { explainIssue } from '../ai/explain/explain-issue.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import type { Keys } from '../core/secrets/keys.ts';
import { createSending } from '../maintenance/channels/messages.ts';
import { createNotifications } from '../maintenance/channels/notifications.ts';
import { createSealing } from '../maintenance/channels/sealed-targets.ts';
import type { Store } from '../store/contract/store.ts';
import type { CaptureParts } from './compose-capture.ts';

/** The source address of messages to channels, because the server itself sends them. */
const OWN_ADDRESS = '127.0.0.1';

export interface ChannelParts {
  /** Called when issues have changed, because a notification may be due. */
  onIssuesChanged(): void;
  onQueued(): void;
  start(): void;
  /** Stops the loops. Resolves once their current slices are done. */
  stop(): Promise<void>;
}

/** Composes the notifications that channels get about issues. */
export function composeChannels(
  store: Store,
  { captureComposed }: Pick<CaptureParts, 'captureComposed'>,
  baseUrl: () => string,
  keys: Pick<Keys, 'seal'>,
  { attemptTimeoutMs, retry }: Config,
  log: Logger,
): ChannelParts {
  const { issues, channels, destinations, clock } = store;
  const limits = { attemptTimeoutMs, attempts: retry.attempts };
  const sending = createSending({
    issues,
    capture: (request) =>
      captureComposed({ ...request, host: new URL(baseUrl()).host, sourceIp: OWN_ADDRESS }),
    log,
  });
  const telling = createNotifications({
    issues,
    channels,
    destinations,
    explain: (named) => explainIssue(named, store, { now: clock.now(), limits }),
    baseUrl,
    clock,
    log,
    onQueued: () => sending.wake(),
  });
  const sealing = createSealing({ channels, keys, log });
  return {
    onIssuesChanged: () => telling.wake(),
    onQueued: () => sending.wake(),
    start() {
      sealing.start();
      sending.start();
      telling.start();
    },
    async stop() {
      await Promise.all([telling.stop(), sending.stop(), sealing.stop()]);
    },
  };
}
