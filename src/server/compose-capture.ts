import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AuditLog } from '../api/audit-log.ts';
import { changesBetween } from '../api/audit-note.ts';
import { EndpointViews } from '../api/endpoints/endpoint-view.ts';
import { acceptRejected, type KeptRejection } from '../capture/accept-rejected.ts';
import { type CaptureOptions, captureBuffered, captureStreamed } from '../capture/capture.ts';
import { type ComposedRequest, captureComposed } from '../capture/capture-composed.ts';
import { captureCopy, type EditedCopy } from '../capture/capture-copy.ts';
import type { CaptureTarget } from '../capture/commit-request.ts';
import { type CommitStats, GroupCommit } from '../capture/group-commit.ts';
import { handshakeEffects } from '../capture/handshake-effects.ts';
import { EndpointRate } from '../capture/judging/endpoint-rate.ts';
import { judgeThread } from '../capture/judging/judge-thread.ts';
import { judgedCommit } from '../capture/judging/judged-commit.ts';
import { KeyRing } from '../capture/judging/key-ring.ts';
import { RequestJudge } from '../capture/judging/request-judge.ts';
import type { OwnUrls } from '../capture/judging/signed-urls.ts';
import { keepSecret } from '../capture/keep-secret.ts';
import { KnownUrls } from '../capture/known-urls.ts';
import { MemoryBudget } from '../capture/memory-budget.ts';
import type { Reply } from '../capture/reply.ts';
import { SharedRefusals } from '../capture/shared-refusals.ts';
import type { Config } from '../config/config.ts';
import type { Endpoint } from '../core/model.ts';
import type { CloseStack } from '../core/runtime/close-stack.ts';
import type { Logger } from '../core/runtime/runtime.ts';
import { Subscribers } from '../core/runtime/subscribers.ts';
import type { Keys } from '../core/secrets/keys.ts';
import type { CpuUse } from '../core/turns/cpu-use.ts';
import type { Scheduler } from '../delivery/schedule/scheduler.ts';
import { GuardedGet } from '../delivery/transports/webhook/guarded-get.ts';
import type { AddressReader } from '../ingress/client-address.ts';
import type { FastRequest } from '../ingress/fast-path/fast-request.ts';
import type { AppendBatchResult } from '../store/contract/events.ts';
import type { Store } from '../store/contract/store.ts';

/** The largest total size of bodies that arrive or wait for their commit. */
const CAPTURE_MEMORY_BYTES = 128 * 1024 * 1024;
/** The memory budget has room for at least this many bodies of the largest allowed size. */
const CAPTURE_LARGEST_BODIES = 4;

/** At most this many requests for one confirmation's URL. Senders may repeat a confirmation. */
const CONFIRMATIONS = { most: 5, windowMs: 60_000 };

/** Events that are durably committed. Their senders have no answer yet. */
interface Committed {
  batch: AppendBatchResult;
  stats: CommitStats;
}

export interface CaptureBasis {
  store: Store;
  keys: Keys;
  config: Config;
  log: Logger;
  cpu: CpuUse;
}

export interface CaptureParts {
  commits: GroupCommit;
  budget: MemoryBudget;
  keyRing: KeyRing;
  committed: Subscribers<Committed>;
  /** Notified once the secret of a handshake is on disk. */
  secretKept: Subscribers<Endpoint>;
  /** Captures a request that `node:http` has read. */
  capture(req: IncomingMessage, res: ServerResponse, target: CaptureTarget): Promise<void>;
  /** Captures a request that the fast path has read. */
  captureFast(request: FastRequest, socket: Socket): Promise<Reply>;
  /** Captures a request that the server composes. Returns the event's id. */
  captureComposed(request: ComposedRequest): Promise<string>;
  /** Captures an edited copy of an event. Returns the copy's id. */
  captureCopy(copy: EditedCopy): Promise<string>;
  /** Captures a rejected request. Returns the event's id. */
  acceptRejected(endpoint: Endpoint, kept: KeptRejection): Promise<string>;
}

/** Composes the five ways to capture a request. All five share one memory budget. */
export function composeCapture(
  { store, keys, config, log, cpu }: CaptureBasis,
  scheduler: Scheduler,
  clientAddress: AddressReader,
  urls: OwnUrls,
  opened: CloseStack,
): CaptureParts {
  const { events, endpoints, audit, clock, cluster } = store;
  const { maxBodyBytes, allowPrivateDestinations: allowPrivate } = config;
  const committed = new Subscribers<Committed>('commit', log);
  const commits = new GroupCommit({
    // A request with order keys may wait for another transaction's lock, so it gets its own commit.
    isApart: ({ verdict }) => cluster !== null && (verdict?.orderKeys.length ?? 0) > 0,
    append: (requests, terms) => events.appendBatch(requests, terms),
    claimTerms: (isAhead) => scheduler.terms(isAhead),
    onCommitted: (batch, stats) => committed.notify({ batch, stats }),
    monotonic: () => clock.monotonic(),
  });
  opened.defer(() => commits.settled());
  const outbound = new GuardedGet({ allowPrivate, clock });
  opened.defer(() => outbound.close());
  const keyRing = new KeyRing({
    get: (url) => outbound.text(url),
    log,
    monotonic: () => clock.monotonic(),
  });
  const confirmations = new EndpointRate(CONFIRMATIONS, () => clock.monotonic());
  const judge = new RequestJudge({
    keys,
    urls,
    keyRing,
    thread: () => judgeThread(cpu),
    cpu,
    log,
    monotonic: () => clock.monotonic(),
  });
  opened.defer(() => judge.close());
  const budget = new MemoryBudget(
    Math.max(CAPTURE_MEMORY_BYTES, CAPTURE_LARGEST_BODIES * maxBodyBytes),
  );
  const refusals = new SharedRefusals((request) => commits.add(request));
  const views = new EndpointViews({ endpoints, keys, baseUrl: urls.baseUrl });
  const auditLog = new AuditLog({ store: audit, clock, log });
  const secretKept = new Subscribers<Endpoint>('secret', log);
  const onKept = (before: Endpoint, after: Endpoint) => {
    secretKept.notify(after);
    const provider = after.source?.provider ?? '';
    return auditLog.bySystem('endpoint.update', after.userId, provider, {
      target: { type: 'endpoint', id: after.id, name: after.settings.name },
      changes: changesBetween(views.settings(before), views.settings(after)),
    });
  };
  const options: CaptureOptions = {
    maxBodyBytes,
    budget,
    clock,
    known: new KnownUrls(() => clock.monotonic()),
    findEndpoint: (publicToken) => endpoints.findByPublicToken(publicToken),
    commit: (request) =>
      judgedCommit(request, { commit: (judged) => refusals.commit(judged), judge }),
    effects: handshakeEffects({
      async confirm(url) {
        if (!confirmations.take(url)) throw new Error('too many confirmations of this URL');
        await outbound.text(url);
      },
      keepSecret(publicToken, secret, eventId) {
        const brought = { at: clock.now(), eventId };
        return keepSecret(publicToken, secret, brought, { endpoints, keys, onKept });
      },
      log,
    }),
    clientAddress,
  };
  return {
    commits,
    budget,
    keyRing,
    committed,
    secretKept,
    capture: (req, res, target) => captureStreamed(req, res, target, options),
    captureFast(request, socket) {
      const headers = { 'x-forwarded-for': request.forwardedFor };
      const sourceIp = clientAddress({ socket, headers });
      return captureBuffered({ ...request, sourceIp, receivedAt: clock.now() }, options);
    },
    captureComposed: (request) => captureComposed(request, options),
    captureCopy: (copy) => captureCopy(copy, options),
    acceptRejected: (endpoint, kept) => acceptRejected(endpoint, kept, options),
  };
}
