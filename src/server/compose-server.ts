import { setTimeout as sleep } from 'node:timers/promises';
import { Accounts, SESSION_LIMITS } from '../accounts/accounts.ts';
import { FirstAccount } from '../accounts/first-account.ts';
import { AiOperations } from '../ai/operations.ts';
import { createApp } from '../api/app.ts';
import { openApiDocument } from '../api/openapi.ts';
import { dashboardFiles } from '../api/page/dashboard-files.ts';
import { dashboardSession } from '../api/page/dashboard-session.ts';
import type { Route } from '../api/route.ts';
import { aiRoutes } from '../api/routes/ai-routes.ts';
import { authRoutes } from '../api/routes/auth-routes.ts';
import { destinationRoutes } from '../api/routes/destination-routes.ts';
import { endpointRoutes } from '../api/routes/endpoint-routes.ts';
import { eventRoutes } from '../api/routes/event-routes.ts';
import { sampleRoutes } from '../api/routes/sample-routes.ts';
import { statsRoutes } from '../api/routes/stats-routes.ts';
import { streamRoutes } from '../api/routes/stream-routes.ts';
import { systemRoutes } from '../api/routes/system-routes.ts';
import {
  type CaptureOptions,
  capture,
  captureRead,
  EARLY_CHECK_BYTES,
} from '../capture/capture.ts';
import { captureComposed } from '../capture/capture-composed.ts';
import { CAPTURE_HEADERS } from '../capture/capture-whole.ts';
import { GroupCommit } from '../capture/group-commit.ts';
import { KnownUrls } from '../capture/known-urls.ts';
import { MemoryBudget } from '../capture/memory-budget.ts';
import type { Config } from '../config.ts';
import type { CloseStack } from '../core/close-stack.ts';
import { HookrelayError } from '../core/errors.ts';
import { listeningUrl } from '../core/http/listening-url.ts';
import { newEndpoint } from '../core/new-endpoint.ts';
import { dashboardDir, packageVersion } from '../core/resource.ts';
import type { Logger } from '../core/runtime.ts';
import { attemptDelivery } from '../delivery/attempt/attempt-delivery.ts';
import { Dispatcher } from '../delivery/schedule/dispatcher.ts';
import { Scheduler } from '../delivery/schedule/scheduler.ts';
import { eventLoopShare, Throttle } from '../delivery/schedule/throttle.ts';
import { Transports } from '../delivery/transports/transports.ts';
import { clientAddressReader, proxyChecker } from '../ingress/client-address.ts';
import type { ClientLimits } from '../ingress/client-limits.ts';
import { createFrontDoor } from '../ingress/front-door.ts';
import { OwnHosts } from '../ingress/own-hosts.ts';
import { listen } from '../ingress/server.ts';
import { Live } from '../live/live.ts';
import { LiveFeed } from '../live/live-feed.ts';
import { createPurge } from '../maintenance/purge.ts';
import { createReplayJobs } from '../maintenance/replay-jobs.ts';
import { createRetention } from '../maintenance/retention.ts';
import type { Store } from '../store/contract/store.ts';
import { Metrics } from './metrics.ts';
import { keysOf } from './server-keys.ts';
import { openTunnel, type Tunnel } from './tunnel.ts';

/** Attempts under way at once, in all and to one destination, and their bodies. */
const DISPATCH_LIMITS = { slots: 256, slotsPerDestination: 16, bytes: 64 * 1024 * 1024 };
/** Bodies being received or waiting for their commit; at least a few of the largest fit. */
const CAPTURE_MEMORY_BYTES = 128 * 1024 * 1024;
const CAPTURE_LARGEST_BODIES = 4;
/** A commit that takes longer keeps senders waiting: they are better off elsewhere, ms. */
const STUCK_COMMIT_MS = 3000;
/** What an account that is created on the page finds there. */
const FIRST_ENDPOINT_NAME = 'inbox';
/** Containers are killed 10 s after SIGTERM: attempts get 8 of them, connections 9. */
const ATTEMPTS_GRACE_MS = 8000;
const CONNECTIONS_GRACE_MS = 9000;
/** What connections get after the drain delay, however long that was. */
const CONNECTIONS_LEAST_GRACE_MS = 4000;

export interface RunningServer {
  /** Where it listens, as it can be opened on this machine. */
  url: string;
  /** The same as commands on this machine reach it: by an address, not by a name. */
  localUrl: string;
  /** Where the first account can be created, once; null when there are accounts. */
  firstAccountUrl: string | null;
  /**
   * Drains and closes everything, in the reverse of the order in which it was opened.
   *
   * @param delayMs how long it first goes on serving, so that a balancer sees that
   *   readiness fails and sends its requests elsewhere; 0 by default
   */
  stop(delayMs?: number): Promise<void>;
}

/**
 * Composition root: wires and starts everything on an open store. `limits` bound
 * what its clients hold. `opened` gets all that must be closed, also after a failure.
 */
export async function composeServer(
  store: Store,
  config: Config,
  log: Logger,
  limits: ClientLimits,
  opened: CloseStack,
): Promise<RunningServer> {
  const { clock, cluster } = store;
  const keys = await keysOf(store, config);
  const clientAddress = clientAddressReader(config.trustProxy);
  const position = await store.live.lastSequences();
  const live = new Live(position);
  const feed = cluster && new LiveFeed({ feed: cluster.feed, live, position, log });
  const accounts = new Accounts({
    store: store.accounts,
    keys,
    clock,
    limits: config.limits,
    registration: config.registration,
    defaultPlan: config.defaultPlan,
    allowances: cluster?.allowances,
  });

  const firstAccount = new FirstAccount({ countUsers: () => store.accounts.countUsers() });
  // Asked before anything listens: a start that the database breaks off leaves nothing behind.
  const isFirstAwaited = await firstAccount.isAwaited();
  // What happens here is told to the other nodes, if there are any.
  const tellDue = (destinationKeys: ReadonlySet<number>) => {
    if (destinationKeys.size > 0) cluster?.send({ kind: 'due', destinationKeys });
  };
  const tellCommitted = () => {
    feed?.wake();
    cluster?.send({ kind: 'committed' });
  };

  // Deliveries.
  const dispatcher = new Dispatcher(DISPATCH_LIMITS);
  const throttle = new Throttle(clock, eventLoopShare());
  const aborted = new AbortController();
  const transports = new Transports({
    allowPrivate: config.allowPrivateDestinations,
    timeoutMs: config.attemptTimeoutMs,
    clock,
    signal: aborted.signal,
    openSecret: (sealed, destinationId) => keys.open(sealed, destinationId),
  });
  opened.defer(() => transports.close());
  const webhook = transports.get('webhook');
  const scheduler = new Scheduler({
    queue: store.queue,
    dispatcher,
    throttle,
    clock,
    log,
    attemptTimeoutMs: config.attemptTimeoutMs,
    attempt: (claim, outgoing) =>
      attemptDelivery(claim, outgoing, {
        transport: webhook,
        clock,
        log,
        policy: config.retry,
        random: Math.random,
      }),
    abort: () => aborted.abort(),
    onSettled(settled) {
      if (!feed) live.publishAttempts(settled);
      tellCommitted();
      metrics.onSettled(settled);
    },
  });

  // Capture.
  const budget = new MemoryBudget(
    Math.max(CAPTURE_MEMORY_BYTES, CAPTURE_LARGEST_BODIES * config.maxBodyBytes),
  );
  const known = new KnownUrls(() => clock.monotonic());
  const commits = new GroupCommit({
    append: (requests, terms) => store.events.appendBatch(requests, terms),
    claimTerms: (isAhead) => scheduler.terms(isAhead),
    onCommitted(batch, stats) {
      if (!feed) live.publishEvents(batch.results);
      throttle.onCaptured(stats.events, stats.waiting);
      scheduler.accept(batch);
      tellCommitted();
      tellDue(batch.unclaimed);
      metrics.onCommit(stats);
    },
    monotonic: () => clock.monotonic(),
  });

  // Background work.
  const purge = createPurge({ upkeep: store.upkeep, sessionLimits: SESSION_LIMITS, clock, log });
  const replayJobs = createReplayJobs({
    replays: store.replays,
    clock,
    log,
    onQueued(destinationKeys) {
      scheduler.wake(destinationKeys);
      tellDue(destinationKeys);
    },
  });
  const retention =
    config.retentionMs === null
      ? null
      : createRetention({ upkeep: store.upkeep, retentionMs: config.retentionMs, clock, log });
  const loops = [purge, replayJobs, ...(retention ? [retention] : [])];
  opened.defer(() => feed?.stop());
  const unsubscribe = cluster?.subscribe((signal) => {
    if (signal.kind === 'history') {
      live.restart(signal.horizon);
      feed?.restart(signal.horizon);
      // Each resumes by its cursor, or learns that it can't.
      streams.endAll();
    }
    if (signal.kind !== 'due') feed?.wake();
    if (signal.kind === 'due' && signal.destinationKeys) scheduler.wake(signal.destinationKeys);
    else if (signal.kind !== 'committed') scheduler.look();
  });
  opened.defer(() => unsubscribe?.());
  opened.defer(() => commits.settled());

  const ai = new AiOperations({ ...config.ai, clock, log });

  // HTTP.
  let state: 'starting' | 'ready' | 'draining' = 'starting';
  let baseUrl = config.publicUrl ?? '';
  const authenticate = (authorization: string | undefined) => accounts.principalOf(authorization);
  const streams = streamRoutes({
    live,
    store: store.live,
    clock,
    history: () => store.history,
    most: config.limits.streams,
    async published() {
      await feed?.published();
      return store.live.lastSequences();
    },
    revalidate: authenticate,
  });
  const metrics = new Metrics({
    stats: () => store.stats(clock.now()),
    attemptsRunning: () => dispatcher.running,
    deliveriesWaiting: () => dispatcher.waiting,
    captureBytesInFlight: () => budget.usedBytes,
    openStreams: () => streams.openCount(),
  });
  const routes: Route[] = [
    ...authRoutes(accounts, { aiEngine: () => ai.engine() }),
    ...endpointRoutes({
      endpoints: store.endpoints,
      clock,
      most: config.limits.endpoints,
      baseUrl: () => baseUrl,
      onRemoved: () => purge.wake(),
    }),
    ...destinationRoutes({
      endpoints: store.endpoints,
      keys,
      clock,
      most: config.limits.destinations,
      checkUrl: async (url) => new URL((await webhook.validate({ url })).url),
    }),
    ...eventRoutes({
      events: store.events,
      replays: store.replays,
      clock,
      mostJobs: config.limits.replayJobs,
      claimTerms: () => scheduler.terms(),
      onReplayed(deliveries) {
        scheduler.accept(deliveries);
        tellDue(deliveries.unclaimed);
      },
      onJobStarted: () => replayJobs.wake(),
    }),
    ...aiRoutes({
      ai,
      events: store.events,
      endpoints: store.endpoints,
      live: store.live,
      clock,
      limits: { attemptTimeoutMs: config.attemptTimeoutMs, attempts: config.retry.attempts },
    }),
    ...streams.routes,
    ...statsRoutes({ events: store.events, clock }),
    ...sampleRoutes({
      clock,
      baseUrl: () => baseUrl,
      capture: (request) =>
        captureComposed(request, { clock, commit: (captured) => commits.add(captured) }),
    }),
  ];
  // The page's own: not in the API's document.
  const pageRoutes = dashboardSession({
    accounts,
    firstAccount,
    registration: config.registration,
    baseUrl: () => baseUrl,
    generation: store.generation,
    createEndpoint: (userId) =>
      store.endpoints.create(
        newEndpoint(userId, FIRST_ENDPOINT_NAME, clock.now()),
        config.limits.endpoints,
      ),
  });
  let openApi: object | undefined;
  const system = systemRoutes({
    async checkReady() {
      if (state === 'starting') throw new HookrelayError('not_ready', 'the server is starting');
      if (state === 'draining')
        throw new HookrelayError('not_ready', 'the server is shutting down');
      // What holds them up may be out of the check's sight, such as a row that somebody has.
      if (commits.longestMs > STUCK_COMMIT_MS) {
        throw new HookrelayError('not_ready', 'captures wait for the storage', { retryAfterS: 1 });
      }
      await store.checkWritable();
    },
    metrics: () => metrics.text(),
    metricsToken: config.metricsToken,
    metricsOpen: isLoopbackHost(config.host) && config.trustProxy.length === 0 && !config.tunnel,
    // Made when it is first asked for: that takes as long as all the rest of this.
    openApi() {
      openApi ??= openApiDocument([...routes, ...system], { version: packageVersion(), baseUrl });
      return openApi;
    },
  });
  const captureOptions: CaptureOptions = {
    maxBodyBytes: config.maxBodyBytes,
    budget,
    clock,
    known,
    findEndpoint: (publicToken) => store.endpoints.findByPublicToken(publicToken),
    commit: (request) => commits.add(request),
    clientAddress,
  };
  const hosts = new OwnHosts();
  for (const name of [config.host, config.publicUrl]) if (name !== null) hosts.add(name);
  const frontDoor = createFrontDoor({
    takesHost: (host) => hosts.takes(host),
    clock,
    log,
    captureHeaders: CAPTURE_HEADERS,
    capture: (req, res, target) => capture(req, res, target, captureOptions),
    captureFast(request, socket) {
      const headers = { 'x-forwarded-for': request.forwardedFor };
      const sourceIp = clientAddress({ socket, headers });
      return captureRead({ ...request, sourceIp, receivedAt: clock.now() }, captureOptions);
    },
    dashboard: dashboardFiles(dashboardDir()),
    api: createApp({
      routes: [...routes, ...system, ...pageRoutes],
      clock,
      log,
      endpoints: store.endpoints,
      events: store.events,
      authenticate,
      clientAddress,
      baseUrl: () => baseUrl,
      bodyTimeoutMs: limits.apiBodyTimeoutMs,
    }),
  });
  const server = await listen({
    ...config,
    frontDoor,
    fastPathMaxBytes: Math.min(EARLY_CHECK_BYTES, config.maxBodyBytes),
    limits,
    isProxy: proxyChecker(config.trustProxy),
    log,
    clock,
  });
  hosts.takesAny = !server.isLoopback;
  let tunnel: Tunnel | null = null;
  let drainDelayMs = 0;
  // Readiness fails, and attempts get some time. After the delay streams end, and
  // connections close as their requests are answered; captures under way are
  // committed first.
  opened.defer(async () => {
    state = 'draining';
    server.answerLast();
    await Promise.all([scheduler.stop(ATTEMPTS_GRACE_MS), closeAfterDelay()]);
    await tunnel?.close();
  });
  async function closeAfterDelay(): Promise<void> {
    await sleep(drainDelayMs);
    streams.endAll();
    const graceMs = Math.max(CONNECTIONS_GRACE_MS - drainDelayMs, CONNECTIONS_LEAST_GRACE_MS);
    await Promise.all([server.close(graceMs), ...loops.map((loop) => loop.stop())]);
  }
  if (config.tunnel) tunnel = await openTunnel(server.url, log);
  if (tunnel) hosts.add(tunnel.url);
  baseUrl ||= tunnel?.url ?? server.url;
  warn(config, server.isLoopback && !tunnel, log);

  const firstAccountUrl = isFirstAwaited ? firstAccount.link(baseUrl) : null;

  feed?.start();
  scheduler.start();
  for (const loop of loops) loop.start();
  const localUrl = listeningUrl({ ...config, port: server.port });
  await store.announce(localUrl);
  state = 'ready';

  return {
    url: server.url,
    localUrl,
    firstAccountUrl,
    stop(delayMs = 0) {
      drainDelayMs = delayMs;
      return opened.close();
    },
  };
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function warn(config: Config, isPrivate: boolean, log: Logger): void {
  if (config.allowPrivateDestinations) {
    log.warn(
      'PRIVATE DESTINATIONS ARE ALLOWED: accounts can make this server send requests into its own network',
    );
  }
  if (config.registration === 'open' && !isPrivate) {
    log.warn('anybody who reaches this server can register; --registration closed ends that');
  }
}
