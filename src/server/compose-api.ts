import type { RequestListener } from 'node:http';
import { Accounts } from '../accounts/accounts.ts';
import type { FirstAccount } from '../accounts/first-account.ts';
import { MessageLimits } from '../accounts/message-limits.ts';
import { AiOperations } from '../ai/operations.ts';
import { auditRoutes } from '../api/accounts/audit-routes.ts';
import { authRoutes } from '../api/accounts/auth-routes.ts';
import { sessionRoutes } from '../api/accounts/session-routes.ts';
import { tokenRoutes } from '../api/accounts/token-routes.ts';
import { aiRoutes } from '../api/ai/ai-routes.ts';
import { type AppOptions, createApp } from '../api/app.ts';
import { AuditLog } from '../api/audit-log.ts';
import { BusyAccounts } from '../api/busy-accounts.ts';
import { channelRoutes } from '../api/channels/channel-routes.ts';
import { confirmRoutes } from '../api/channels/confirm-routes.ts';
import { dashboardSession } from '../api/dashboard/dashboard-session.ts';
import { deliveryRoutes } from '../api/deliveries/delivery-routes.ts';
import { destinationControlRoutes } from '../api/destinations/destination-control-routes.ts';
import { destinationRoutes } from '../api/destinations/destination-routes.ts';
import { endpointRoutes } from '../api/endpoints/endpoint-routes.ts';
import { statsRoutes } from '../api/endpoints/stats-routes.ts';
import { eventListRoutes } from '../api/events/event-list-routes.ts';
import { eventRoutes } from '../api/events/event-routes.ts';
import { rejectedRoutes } from '../api/events/rejected-routes.ts';
import { RequestViews } from '../api/events/request-views.ts';
import { SearchTurns } from '../api/events/search-turns.ts';
import { issueRoutes } from '../api/issues/issue-routes.ts';
import { openApiDocument } from '../api/openapi.ts';
import { overviewRoutes } from '../api/overview/overview-routes.ts';
import { replayRoutes } from '../api/replays/replay-routes.ts';
import type { Route } from '../api/route.ts';
import { ruleRoutes } from '../api/rules/rule-routes.ts';
import { ruleTrialRoutes } from '../api/rules/rule-trial-routes.ts';
import { sampleRoutes } from '../api/sources/sample-routes.ts';
import { sourceRoutes } from '../api/sources/source-routes.ts';
import { type StreamRoutes, streamRoutes } from '../api/streams/stream-routes.ts';
import { SystemFacts } from '../api/system/system-facts.ts';
import { systemRoutes } from '../api/system/system-routes.ts';
import { typeRoutes } from '../api/types/type-routes.ts';
import type { OwnUrls } from '../capture/judging/signed-urls.ts';
import type { Config } from '../config/config.ts';
import { packageVersion } from '../core/runtime/resource.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import type { Keys } from '../core/secrets/keys.ts';
import { newEndpoint } from '../core/settings/new-endpoint.ts';
import type { CpuUse } from '../core/turns/cpu-use.ts';
import type { AddressReader } from '../ingress/client-address.ts';
import type { ClientLimits } from '../ingress/client-limits.ts';
import type { FastPathCounts } from '../ingress/fast-path/hand-over.ts';
import type { Store } from '../store/contract/store.ts';
import type { CaptureParts } from './compose-capture.ts';
import type { ChannelParts } from './compose-channels.ts';
import type { DeliveryParts } from './compose-delivery.ts';
import type { IssueParts } from './compose-issues.ts';
import type { LiveParts } from './compose-live.ts';
import type { TypeParts } from './compose-types.ts';
import type { UpkeepParts } from './compose-upkeep.ts';
import { deliveryUrls } from './delivery-urls.ts';
import { Metrics } from './metrics.ts';

/** Name of the endpoint in an account that the dashboard creates. */
const FIRST_ENDPOINT_NAME = 'inbox';

export interface ApiBasis {
  store: Store;
  keys: Keys;
  config: Config;
  limits: ClientLimits;
  log: Logger;
  cpu: CpuUse;
  live: LiveParts;
  delivery: DeliveryParts;
  capture: CaptureParts;
  upkeep: UpkeepParts;
  issueKeeping: Pick<IssueParts, 'onExpectationChanged' | 'onSourceChanged'>;
  notifications: Pick<ChannelParts, 'onIssuesChanged' | 'onQueued'>;
  types: TypeParts;
  firstAccount: FirstAccount;
  clientAddress: AddressReader;
  fastPathCounts: FastPathCounts;
  /** The URLs of this server that senders use. */
  urls: OwnUrls;
  /** Returns the URL that people open. Call it only after the server has started to listen. */
  baseUrl(): string;
  /** Answers a browser that asks for an unknown address. */
  lost: AppOptions['lost'];
  /** Throws `not_ready` if the server can't capture. */
  checkReady(): Promise<void>;
}

export interface ApiParts {
  listener: RequestListener;
  streams: StreamRoutes;
  metrics: Metrics;
  /** Stops the API's threads. */
  close(): Promise<void>;
}

/** Composes the API and the dashboard's routes. */
export function composeApi(basis: ApiBasis): ApiParts {
  const { store, keys, config, limits, log, live, delivery, capture } = basis;
  const { upkeep, notifications, types, baseUrl } = basis;
  const {
    accounts: accountStore,
    apiTokens,
    endpoints,
    destinations,
    deliveries,
    events,
    rejected,
    replays,
    issues,
    channels,
    clock,
    cluster,
  } = store;
  const audit = new AuditLog({ store: store.audit, clock, log });
  const accounts = new Accounts({
    store: accountStore,
    apiTokens,
    keys,
    clock,
    limits: config.limits,
    registration: config.registration,
    defaultPlan: config.defaultPlan,
    allowances: cluster?.allowances,
    onWrongPassword: (user, client) => audit.wrongPassword(user, client),
  });
  const authenticate = (authorization: string | undefined) => accounts.principalOf(authorization);
  const searches = new SearchTurns({ cpu: basis.cpu });
  const views = new RequestViews(basis.cpu);
  const ai = new AiOperations({ ...config.ai, cpu: basis.cpu, clock, log });
  const streams = streamRoutes({
    live: live.live,
    store: store.live,
    clock,
    history: () => store.history,
    most: config.limits.streams,
    cpu: basis.cpu,
    published: live.published,
    revalidate: authenticate,
  });
  // Each reader reconnects with its cursor. A reader whose cursor isn't valid gets `reset`.
  cluster?.subscribe(({ kind }) => {
    if (kind === 'history') streams.endAll();
  });
  const metrics = new Metrics({
    stats: () => store.stats(clock.now()),
    attemptsRunning: () => delivery.dispatcher.running,
    deliveriesWaiting: () => delivery.dispatcher.waiting,
    captureBytesInFlight: () => capture.budget.usedBytes,
    openStreams: () => streams.openCount(),
    fastPath: basis.fastPathCounts,
  });

  /** Makes every node look for deliveries to these destinations. */
  const wakeAll = (destinationKeys: ReadonlySet<number>) => {
    delivery.scheduler.reconsider(destinationKeys);
    delivery.reportChanged(destinationKeys);
    delivery.offerToNodes(destinationKeys);
  };
  const wake = (destinationKey: number) => wakeAll(new Set([destinationKey]));
  const parts = {
    endpoints,
    destinations,
    deliveries,
    events,
    rejected,
    replays,
    issues,
    channels,
    clock,
    keys,
    searches,
    views,
    baseUrl,
    urls: basis.urls,
    cpu: basis.cpu,
    checkUrl: delivery.checkUrl,
    onChanged: wake,
  };
  const routes: Route[] = [
    ...authRoutes(accounts, { aiEngine: () => ai.engine() }),
    ...sessionRoutes(accounts),
    ...tokenRoutes(accounts),
    ...auditRoutes({ audit: store.audit }),
    ...endpointRoutes({
      ...parts,
      most: config.limits.endpoints,
      onExpectationChanged: (key) => basis.issueKeeping.onExpectationChanged(key),
      onSourceChanged: () => basis.issueKeeping.onSourceChanged(),
      onRemoved: () => upkeep.purge.wake(),
    }),
    ...sourceRoutes({ ...parts, keyRing: capture.keyRing }),
    ...rejectedRoutes({ ...parts, accept: capture.acceptRejected }),
    ...destinationRoutes({ ...parts, most: config.limits.destinations }),
    ...destinationControlRoutes(parts),
    ...ruleRoutes(parts),
    ...ruleTrialRoutes(parts),
    ...issueRoutes({
      ...parts,
      acceptDrift: types.acceptDrift,
      onChanged: () => notifications.onIssuesChanged(),
    }),
    ...typeRoutes({ types: store.types, schemas: types.schemas }),
    ...channelRoutes({
      ...parts,
      limits: new MessageLimits(
        cluster ? { store: cluster.allowances, now: () => clock.now() } : null,
      ),
      sendsMail: config.smtp !== null,
      onQueued: () => notifications.onQueued(),
    }),
    ...deliveryRoutes(parts),
    ...eventListRoutes(parts),
    ...eventRoutes({
      ...parts,
      deliveryUrls: (endpoint, request) => deliveryUrls(destinations, endpoint, request),
      capture: capture.captureCopy,
      onRemoved(freed) {
        wakeAll(freed);
        types.onDeleted();
      },
    }),
    ...replayRoutes({
      ...parts,
      mostJobs: config.limits.replayJobs,
      claimTerms: () => delivery.scheduler.terms(),
      onReplayed(deliveries) {
        delivery.scheduler.accept(deliveries);
        delivery.offerToNodes(deliveries.unclaimed);
      },
      onJobStarted: () => upkeep.replayJobs.wake(),
      onFreed: wakeAll,
    }),
    ...aiRoutes({
      ...parts,
      ai,
      live: store.live,
      types: store.types,
      schemas: types.schemas,
      limits: { attemptTimeoutMs: config.attemptTimeoutMs, attempts: config.retry.attempts },
    }),
    ...streams.routes,
    ...statsRoutes(parts),
    ...overviewRoutes(parts),
    ...sampleRoutes({ ...parts, capture: capture.captureComposed }),
  ];
  let openApi: object | undefined;
  const facts = new SystemFacts({
    clock,
    checkReady: basis.checkReady,
    stats: () => store.stats(clock.now()),
    dataDir: config.database === null ? config.dataDir : null,
  });
  const system = systemRoutes({
    facts: () => facts.facts(),
    checkReady: basis.checkReady,
    metrics: () => metrics.text(),
    metricsToken: config.metricsToken,
    metricsOpen: isLoopbackHost(config.host) && config.trustProxy.length === 0 && !config.tunnel,
    // Built on the first request, because building takes as long as the rest of this function.
    openApi() {
      openApi ??= openApiDocument([...routes, ...system], {
        version: packageVersion(),
        baseUrl: baseUrl(),
      });
      return openApi;
    },
  });
  // Routes of the dashboard and of other pages aren't in the OpenAPI document.
  const page = dashboardSession({
    accounts,
    firstAccount: basis.firstAccount,
    registration: config.registration,
    baseUrl,
    generation: store.generation,
    createEndpoint: (userId) =>
      endpoints.create(
        newEndpoint(userId, FIRST_ENDPOINT_NAME, clock.now()),
        config.limits.endpoints,
      ),
  });
  const confirm = confirmRoutes({
    channels,
    clock,
    bodyTimeoutMs: limits.apiBodyTimeoutMs,
    onConfirmed: ({ id, userId, target }) =>
      audit.bySystem('channel.confirm', userId, target, {
        target: { type: 'channel', id, name: `email ${target}` },
      }),
  });
  const busy = new BusyAccounts(basis.cpu);
  const listener = createApp({
    ...parts,
    routes: [...routes, ...system, ...page, ...confirm],
    log,
    authenticate,
    audit,
    admit: (account, signal) => busy.admit(account, signal),
    clientAddress: basis.clientAddress,
    lost: basis.lost,
    bodyTimeoutMs: limits.apiBodyTimeoutMs,
  });
  const close = async () => {
    await Promise.all([views.close(), ai.close()]);
  };
  return { listener, streams, metrics, close };
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
