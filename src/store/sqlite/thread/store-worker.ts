import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { freeMemory, memoryOf } from '../../../core/free-memory.ts';
import { type Logger, systemClock } from '../../../core/runtime.ts';
import type { ClaimTerms } from '../../contract/claims.ts';
import type { EventContent } from '../../contract/events.ts';
import type { Outgoing } from '../../contract/queue.ts';
import { openSqliteStore, type SqliteStore } from '../sqlite-store.ts';
import { type PackedRequests, unpackRequests } from './append-message.ts';
import { packFailure } from './failure-message.ts';
import './load-sqlite.ts';
import { joinBodies } from './joined-bodies.ts';
import { RelayedWorker } from './relayed-worker.ts';
import type { StartWorker } from './start-worker.ts';
import type { StoreAnswer, StoreCall, StoreRequest, StoreThreadData } from './store-messages.ts';
import type { PackedClaims, RemoteQueue } from './thread-queue.ts';

/**
 * The thread that the store lives in: its writes, with their fsyncs, and its
 * reads hold up no request that is being received or sent. `store-thread.ts` is
 * the other end.
 */

const { dataDir } = workerData as StoreThreadData;
const port = parentPort as NonNullable<typeof parentPort>;
const cancellers = new Map<number, AbortController>();
const workers: RelayedWorker[] = [];

function post(answer: StoreAnswer, handedOver: (ArrayBuffer | MessagePort)[] = []): void {
  port.postMessage(answer, handedOver);
}

const startWorker: StartWorker = (name, workerData) => {
  const worker = new RelayedWorker(workers.length, name, workerData, (order, handedOver) =>
    post({ order }, handedOver),
  );
  workers.push(worker);
  return worker;
};

const logTo =
  (log: keyof Logger): Logger['info'] =>
  (message, { error, ...fields } = {}) =>
    post({ log, message, fields, error: packFailure(error) });

/** What an answer holds that can go over without a copy: bodies with memory of their own. */
function largeBodies(value: unknown): ArrayBuffer[] {
  const found: ArrayBuffer[] = [];
  for (const item of Array.isArray(value) ? value : [value]) {
    const content = (item as Partial<Outgoing> | null)?.request ?? item;
    const body = (content as Partial<EventContent> | null)?.body;
    const memory = Buffer.isBuffer(body) && body.length > 0 ? memoryOf(body) : null;
    if (memory) found.push(memory);
  }
  return found;
}

async function run(
  store: SqliteStore,
  { id, part, method, args, cancellable }: StoreCall,
): Promise<void> {
  try {
    if (part === 'events' && method === 'append') {
      const [packed, terms] = args as [PackedRequests, ClaimTerms];
      post({ id, value: await store.events.append(unpackRequests(packed), terms) });
      freeMemory(packed.bodies.bytes);
      return;
    }
    if (part === 'queue' && method === 'claimWithRequests') {
      const [now, terms, bounds] = args as Parameters<RemoteQueue['claimWithRequests']>;
      const claimed = await store.queue.claimDue(now, terms);
      const requests = store.queue.requestsOf(claimed, bounds);
      const bodies = joinBodies(requests);
      const heads = requests.map(({ body, ...head }) => head);
      const value: PackedClaims = { claimed, requests: heads, bodies };
      post({ id, value }, [bodies.bytes.buffer]);
      return;
    }
    if (cancellable) {
      const canceller = new AbortController();
      cancellers.set(id, canceller);
      args.push(canceller.signal);
    }
    const target = part === null ? store : store[part];
    const value: unknown = await Reflect.apply(Reflect.get(target, method), target, args);
    post({ id, value }, part === 'events' || part === 'queue' ? largeBodies(value) : []);
  } catch (error) {
    post({ id, failure: packFailure(error) });
  } finally {
    cancellers.delete(id);
  }
  if (part === null && method === 'close') port.close();
}

/** No await at the top: the packed binary loads its workers by `require`. */
async function start(): Promise<void> {
  try {
    const store = await openSqliteStore({
      dataDir,
      clock: systemClock,
      log: {
        debug: logTo('debug'),
        info: logTo('info'),
        warn: logTo('warn'),
        error: logTo('error'),
      },
      onFatal: (error) => post({ fatal: packFailure(error) }),
      startWorker,
      onClaimsDropped: (dropped) => post({ dropped }),
    });
    port.on('message', (request: StoreRequest) => {
      if ('cancel' in request) cancellers.get(request.cancel)?.abort();
      else if ('ended' in request) workers[request.ended]?.onEnd(request.error);
      else void run(store, request);
    });
    post({ opened: { generation: store.generation } });
  } catch (error) {
    post({ refused: packFailure(error) });
    port.close();
  }
}

void start();
