import { join } from 'node:path';
import Database from 'better-sqlite3';
import { decodedIncludes } from '../../../src/store/shared/search/search-text.ts';
import { answerWith } from '../harness/program.ts';

/**
 * The comparison for search: reading every body. It runs the scan's statement of
 * `src/store/sqlite/search/search-downwards.ts` for bodies that aren't compressed (here none
 * is large enough), in one go instead of slices, over the same rows: the file that
 * the server is serving, on a read-only connection with the page cache of the
 * server's reader. A second server without an index would measure something else,
 * because it starts at once to build one, and uses the part that exists. The scan
 * has advantages: no HTTP, no waiting for its turn, no page of results.
 */

export interface ScanOperations {
  open(request: { dataDir: string; endpointId: string }): void;
  scan(request: { q: string }): { ms: number; total: number };
}

/** `CACHE_KIB` of `src/store/sqlite/reader-thread/reader-worker.ts`. */
const CACHE_KIB = 4096;

const SCAN = `
  SELECT e.seq FROM events e JOIN event_contents c ON c.seq = e.seq
  WHERE e.endpoint_key = (SELECT key FROM endpoints WHERE id = @endpointId)
    AND (instr(c.body, @bytes) > 0 OR (instr(c.body, x'5c') > 0 AND decoded_includes(c.body, @q)))
  ORDER BY e.seq DESC`;

let db: Database.Database;
let endpointId: string;

function open(request: { dataDir: string; endpointId: string }): void {
  db = new Database(join(request.dataDir, 'hookrelay.db'), { readonly: true });
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.function('decoded_includes', { deterministic: true }, (body, q) =>
    decodedIncludes(body as Uint8Array, q as string) ? 1 : 0,
  );
  endpointId = request.endpointId;
}

function scan({ q }: { q: string }): { ms: number; total: number } {
  const startedAt = performance.now();
  const seqs = db
    .prepare(SCAN)
    .pluck()
    .all({ endpointId, q, bytes: Buffer.from(q) });
  return { ms: performance.now() - startedAt, total: seqs.length };
}

answerWith({ open, scan } satisfies ScanOperations);
