import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Logger, systemClock } from '../../../core/runtime/runtime.ts';
import { Crossing } from '../../../core/threads/crossing.ts';
import { packFailure } from '../../../core/threads/failure-message.ts';
import { eachRead } from '../reader-thread/reads.ts';
import { openSqliteStore } from '../sqlite-store.ts';
import '../threads/load-sqlite.ts';
import { RelayedWorker } from '../threads/relayed-worker.ts';
import type { StartWorker } from '../threads/start-worker.ts';
import {
  MAIN_WAYS,
  type MainFunctions,
  STORE_WAYS,
  type StoreFunctions,
} from './store-functions.ts';
import { threadFunctions } from './thread-functions.ts';

/**
 * The store's thread. It keeps writes and fsyncs from delaying the main thread's requests.
 * `store-thread.ts` is the main thread's handle on it.
 */

const { dataDir } = workerData as { dataDir: string };
const port = parentPort as MessagePort;
const crossing = new Crossing<MainFunctions, StoreFunctions>(port, MAIN_WAYS);
const { main } = crossing.tell;
const workers: RelayedWorker[] = [];

const startWorker: StartWorker = (name, workerData) => {
  const id = workers.length;
  const worker = new RelayedWorker((port) => main.startWorker(id, name, workerData, port));
  workers.push(worker);
  return worker;
};

const logTo =
  (level: keyof Logger): Logger['info'] =>
  (message, { error, ...fields } = {}) =>
    main.log(level, message, fields, packFailure(error));

/** Don't await at the top level, because the packed binary loads its workers by `require`. */
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
      onFatal: (error) => main.fatal(packFailure(error)),
      startWorker,
      reader: {
        reads: eachRead((_, args, part, name) => crossing.call(part, name, args)),
        close: () => crossing.ask.reader.close(),
      },
      onClaimsDropped: (deliveryIds) => main.claimsDropped(deliveryIds),
    });
    const functions = threadFunctions(store, {
      ended: (id, error) => workers[id]?.onEnd(error),
      end: () => port.close(),
    });
    crossing.serve(functions, STORE_WAYS);
    main.opened(store.generation);
  } catch (error) {
    main.refused(packFailure(error));
    port.close();
  }
}

void start();
