import { setTimeout as sleep } from 'node:timers/promises';
import { FirstAccount } from '../accounts/first-account.ts';
import { dashboardFiles } from '../api/dashboard/dashboard-files.ts';
import { EARLY_CHECK_BYTES } from '../capture/capture.ts';
import { CAPTURE_HEADERS } from '../capture/reply.ts';
import type { Config } from '../config/config.ts';
import { HookrelayError } from '../core/errors.ts';
import { listeningUrl } from '../core/http/listening-url.ts';
import type { CloseStack } from '../core/runtime/close-stack.ts';
import { dashboardDir } from '../core/runtime/resource.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import type { CpuUse } from '../core/turns/cpu-use.ts';
import { clientAddressReader, proxyChecker } from '../ingress/client-address.ts';
import type { ClientLimits } from '../ingress/client-limits.ts';
import { noCounts } from '../ingress/fast-path/hand-over.ts';
import { createFrontDoor } from '../ingress/front-door.ts';
import { OwnHosts } from '../ingress/own-hosts.ts';
import { type ListeningServer, listen } from '../ingress/server.ts';
import { WorkRate } from '../maintenance/work-rate.ts';
import type { Store } from '../store/contract/store.ts';
import { composeApi } from './compose-api.ts';
import { composeCapture } from './compose-capture.ts';
import { composeChannels } from './compose-channels.ts';
import { composeDelivery } from './compose-delivery.ts';
import { composeIssues } from './compose-issues.ts';
import { composeLive } from './compose-live.ts';
import { composeTypes } from './compose-types.ts';
import { composeUpkeep } from './compose-upkeep.ts';
import { keysOf } from './server-keys.ts';
import { openTunnel, type Tunnel } from './tunnel.ts';

/**
 * Readiness fails if a commit takes longer than this, ms. A load balancer then uses other nodes.
 */
const STUCK_COMMIT_MS = 3000;
/** Time for attempts and connections at shutdown, ms. Containers are killed 10 s after SIGTERM. */
const ATTEMPTS_GRACE_MS = 8000;
const CONNECTIONS_GRACE_MS = 9000;
/** The shortest grace time of connections, ms. The drain delay can't shorten it further. */
const CONNECTIONS_LEAST_GRACE_MS = 4000;

export interface RunningServer {
  /** The server's URL on this machine. */
  url: string;
  /** The same URL with an address instead of a name, for commands on this machine. */
  localUrl: string;
  /** One-time URL that creates the first account; null if accounts exist. */
  firstAccountUrl: string | null;
  /** Resolves with the reason if the server must stop without a signal. */
  outdated: Promise<HookrelayError>;
  /** Reads the certificate and its key again. Logs whether new connections get the new one. */
  readCertificate(): void;
  /**
   * Drains the server and closes its parts in reverse order.
   *
   * @param delayMs how long the server still serves while readiness fails, so that a load balancer
   *   can switch to other nodes. Default: 0
   */
  stop(delayMs?: number): Promise<void>;
}

/** The open store and the other parts that exist before the server. */
export interface ServerBasis {
  store: Store;
  config: Config;
  log: Logger;
  /** Counts the CPU time that each account uses. The store adds to it too. */
  cpu: CpuUse;
}

/**
 * Starts the server on an open store. Each `compose-…` file composes one part. The caller closes
 * `opened`, even if this function throws.
 */
export async function composeServer(
  { store, config, log, cpu }: ServerBasis,
  limits: ClientLimits,
  opened: CloseStack,
): Promise<RunningServer> {
  const { clock } = store;
  let state: 'starting' | 'ready' | 'draining' = 'starting';
  let baseUrl = config.publicUrl ?? '';
  const outdated = Promise.withResolvers<HookrelayError>();
  const unsubscribe = store.cluster?.subscribe((signal) => {
    if (signal.kind === 'outdated') outdated.resolve(signal.error);
  });
  opened.defer(() => unsubscribe?.());

  const keys = await keysOf(store, config);
  const firstAccount = new FirstAccount({ countUsers: () => store.accounts.countUsers() });
  // Read before the server listens, so a database error leaves no open listener.
  const isFirstAwaited = await firstAccount.isAwaited();
  const clientAddress = clientAddressReader(config.trustProxy);

  const live = await composeLive(store, log, opened);
  const delivery = composeDelivery(store, keys, config, log, opened);
  const { scheduler, throttle, settled, offerToNodes } = delivery;
  const hosts = new OwnHosts();
  for (const name of [config.host, config.publicUrl]) if (name !== null) hosts.add(name);
  const urls = { baseUrl: () => baseUrl, ownsHost: (host: string) => hosts.owns(host) };
  const basis = { store, keys, config, log, cpu };
  const capture = composeCapture(basis, scheduler, clientAddress, urls, opened);
  const { commits, committed } = capture;
  const fastPathCounts = noCounts();
  const captures = new WorkRate(clock);
  const all = new WorkRate(clock);
  const types = composeTypes(store, all, log, cpu);
  const upkeep = composeUpkeep(store, delivery, config, types, { captures, all }, log);
  const issues = composeIssues(store, config, log);
  const channels = composeChannels(store, capture, () => baseUrl, keys, config, log);
  const files = dashboardFiles(dashboardDir());
  const api = composeApi({
    store,
    keys,
    config,
    limits,
    log,
    cpu,
    live,
    urls,
    delivery,
    capture,
    upkeep,
    issueKeeping: issues,
    notifications: channels,
    types,
    firstAccount,
    clientAddress,
    fastPathCounts,
    baseUrl: () => baseUrl,
    lost: files.serveLost,
    checkReady,
  });
  opened.defer(() => api.close());
  const { listener, streams, metrics } = api;

  committed.subscribe('live', ({ batch }) => live.onCommitted(batch.results));
  committed.subscribe('throttle', ({ stats }) => throttle.onCaptured(stats.events, stats.waiting));
  committed.subscribe('scheduler', ({ batch }) => scheduler.accept(batch));
  committed.subscribe('nodes', ({ batch }) => offerToNodes(batch.unclaimed));
  committed.subscribe('metrics', ({ stats }) => metrics.onCommit(stats));
  committed.subscribe('pace', ({ stats }) => {
    captures.add(stats.events);
    all.add(stats.events);
  });
  committed.subscribe('types', () => types.onCaptured());
  committed.subscribe('issues', ({ batch }) => issues.onCommitted(batch.results));
  capture.secretKept.subscribe('issues', () => issues.onSourceChanged());
  settled.subscribe('pace', (attempts) => all.add(attempts.length));
  settled.subscribe('live', (attempts) => live.onSettled(attempts));
  settled.subscribe('metrics', (attempts) => metrics.onSettled(attempts));
  settled.subscribe('issues', (attempts) => issues.onSettled(attempts));

  const server = await listen({
    ...config,
    frontDoor: createFrontDoor({
      takesHost: (host) => hosts.takes(host),
      clock,
      log,
      captureHeaders: CAPTURE_HEADERS,
      capture: capture.capture,
      captureFast: capture.captureFast,
      dashboard: files.serve,
      api: listener,
    }),
    fastPath: config.fastPath
      ? { maxBodyBytes: Math.min(EARLY_CHECK_BYTES, config.maxBodyBytes), counts: fastPathCounts }
      : null,
    limits,
    isProxy: proxyChecker(config.trustProxy),
    log,
    clock,
  });
  let tunnel: Tunnel | null = null;
  let drainDelayMs = 0;
  // Runs at shutdown. Readiness fails at once, and attempts get their grace time. After the delay,
  // streams end, and each connection closes once its request is answered. Then `opened` waits for
  // the captures that still run.
  opened.defer(async () => {
    state = 'draining';
    server.answerLast();
    await Promise.all([scheduler.stop(ATTEMPTS_GRACE_MS), closeAfterDelay()]);
    await tunnel?.close();
  });
  hosts.takesAny = !server.isLoopback;
  if (config.tunnel) tunnel = await openTunnel(server.url, log);
  if (tunnel) hosts.add(tunnel.url);
  baseUrl ||= tunnel?.url ?? server.url;
  warn(config, server.isLoopback && !tunnel, log);

  live.start();
  scheduler.start();
  upkeep.start();
  issues.start();
  types.start();
  channels.start();
  const localUrl = listeningUrl({ ...config, port: server.port });
  await store.announce(localUrl);
  state = 'ready';
  return {
    url: server.url,
    localUrl,
    outdated: outdated.promise,
    readCertificate: () => readCertificate(server, log),
    firstAccountUrl: isFirstAwaited ? firstAccount.link(baseUrl) : null,
    stop(delayMs = 0) {
      drainDelayMs = delayMs;
      return opened.close();
    },
  };

  async function checkReady(): Promise<void> {
    if (state === 'starting') throw new HookrelayError('not_ready', 'the server is starting');
    if (state === 'draining') throw new HookrelayError('not_ready', 'the server is shutting down');
    // A row lock can delay commits, and `checkWritable` doesn't notice that.
    if (commits.longestMs > STUCK_COMMIT_MS) {
      throw new HookrelayError('not_ready', 'captures wait for the storage', { retryAfterS: 1 });
    }
    await store.checkWritable();
  }

  async function closeAfterDelay(): Promise<void> {
    await sleep(drainDelayMs);
    streams.endAll();
    const graceMs = Math.max(CONNECTIONS_GRACE_MS - drainDelayMs, CONNECTIONS_LEAST_GRACE_MS);
    const background = [upkeep, issues, types, channels].map((part) => part.stop());
    await Promise.all([server.close(graceMs), ...background]);
  }
}

function readCertificate({ readTls }: ListeningServer, log: Logger): void {
  try {
    const expires = readTls();
    if (expires === null) log.info('there is no certificate to read again: --tls-cert is not set');
    else log.info('the certificate was read again', { expires });
  } catch (error) {
    if (!(error instanceof HookrelayError)) throw error;
    const message = 'the certificate was not read again; the server keeps the one from before';
    log.error(message, { reason: error.message, hint: error.hint });
  }
}

function warn(config: Config, isPrivate: boolean, log: Logger): void {
  if (!config.fastPath) log.warn('the fast path is off: a capture takes three times the CPU');
  if (config.allowPrivateDestinations) {
    log.warn(
      'PRIVATE DESTINATIONS ARE ALLOWED: accounts can make this server send requests into its own network',
    );
  }
  if (config.registration === 'open' && !isPrivate) {
    log.warn('anybody who reaches this server can register; --registration closed ends that');
  }
}
