import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Logger, systemClock } from '../../../core/runtime.ts';
import { packFailure } from '../../../core/threads/failure-message.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import { type NamedOperation, operationsByName } from './crossings.ts';
import './load-sqlite.ts';
import { RelayedWorker } from './relayed-worker.ts';
import type { StartWorker } from './start-worker.ts';
import type { StoreAnswer, StoreCall, StoreRequest, StoreThreadData } from './store-messages.ts';
import { threadOperations } from './thread-operations.ts';

/**
 * The store's thread. Its writes, fsyncs and reads delay no request that the main
 * thread receives or sends. `store-thread.ts` is the other end.
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

async function run(
  { run, crossing }: NamedOperation,
  { id, args, cancellable }: StoreCall,
): Promise<void> {
  try {
    if (cancellable) {
      const canceller = new AbortController();
      cancellers.set(id, canceller);
      args.push(canceller.signal);
    }
    const value = await run(...args);
    post({ id, value }, crossing.transferAnswer?.(value));
  } catch (error) {
    post({ id, failure: packFailure(error) });
  } finally {
    cancellers.delete(id);
  }
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
      cpu: { charge: (account, cpuMs) => post({ account, cpuMs }) },
      onClaimsDropped: (dropped) => post({ dropped }),
    });
    const operations = operationsByName(threadOperations(store));
    port.on('message', async (request: StoreRequest) => {
      if ('cancel' in request) cancellers.get(request.cancel)?.abort();
      else if ('ended' in request) workers[request.ended]?.onEnd(request.error);
      else {
        await run(operations.get(request.operation) as NamedOperation, request);
        if (request.operation === 'store.close') port.close();
      }
    });
    post({ opened: { generation: store.generation } });
  } catch (error) {
    post({ refused: packFailure(error) });
    port.close();
  }
}

void start();
