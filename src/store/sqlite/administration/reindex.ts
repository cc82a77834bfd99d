import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import type { Logger } from '../../../core/runtime/runtime.ts';
import { giveToOwner, searchFile } from '../files/data-files.ts';
import { openAnother } from '../files/database.ts';
import { readGeneration } from '../files/generation.ts';
import { Writer } from '../files/writer.ts';
import { Indexer } from '../search-index/indexer.ts';
import { removeSearchIndex } from '../search-index/search-index.ts';
import { startWorker } from '../threads/start-worker.ts';
import { forgetTypes } from '../types/saved-types.ts';
import { countEvents } from './inspect.ts';

/** How often the progress is reported, ms. */
const POLL_EVERY_MS = 100;

/**
 * Rebuilds the search index and returns the number of events. Also deletes the learned types of
 * events. The next server learns them again. The caller has locked the data directory.
 */
export async function reindex(
  dataDir: string,
  db: Database,
  onProgress: (progress: { done: number; total: number }) => void,
): Promise<number> {
  const file = searchFile(dataDir);
  removeSearchIndex(file);
  const generation = readGeneration(db);
  // No server has used this database, so there are no events.
  if (generation === undefined) return 0;
  const { oldest, newest } = db
    .prepare<[], { oldest: number; newest: number }>(`
      SELECT coalesce(min(seq), 0) AS oldest, coalesce(max(seq), 0) AS newest FROM event_contents`)
    .get() as { oldest: number; newest: number };

  const writer = new Writer(db, () => {});
  await writer.write(() => forgetTypes(db));
  let failure: Error | undefined;
  const indexer = new Indexer(
    { file: db.name, searchFile: file, generation },
    startWorker,
    db,
    writer,
    failingLog((error) => {
      failure ??= error;
    }),
  );
  indexer.start();
  try {
    for (;;) {
      const watermark = watermarkOf(file);
      if (failure) throw failure;
      if (watermark >= newest) break;
      onProgress({ done: Math.max(0, watermark - oldest), total: newest - oldest });
      await sleep(POLL_EVERY_MS);
    }
  } finally {
    await indexer.close();
  }
  giveToOwner(dataDir, [file]);
  return countEvents(db);
}

/** Returns the watermark of the index. Returns -1 until the thread has created the index. */
function watermarkOf(file: string): number {
  try {
    const index = openAnother(file, { readonly: true });
    try {
      return index.prepare<[], number>('SELECT watermark FROM state').pluck().get() as number;
    } finally {
      index.close();
    }
  } catch {
    return -1;
  }
}

/**
 * Returns a log that passes errors on to `onError`. Without it, a dead indexer's thread would only
 * be logged and replaced.
 */
function failingLog(onError: (error: Error) => void): Logger {
  return {
    debug() {},
    info() {},
    warn() {},
    error(message, fields) {
      const cause = fields?.error;
      onError(
        new HookrelayError('database_unusable', `${message}: ${String(cause)}`, {
          hint: 'run hookrelay doctor --full',
          cause,
        }),
      );
    },
  };
}
