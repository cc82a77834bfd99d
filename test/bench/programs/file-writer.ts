import { closeSync, fsyncSync, ftruncateSync, openSync, unlinkSync, writevSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../fixtures/random.ts';
import { bodyOf, loadTemplate } from '../harness/load-template.ts';
import { answerWith } from '../harness/program.ts';
import { randomUuid } from '../harness/random-uuid.ts';

/**
 * The comparison for large bodies: the same bytes appended to one file, in batches
 * as large as the server's commits, with an fsync for each batch. It receives
 * nothing, keeps no header, and finds nothing again: it shows the cost of disk and
 * kernel.
 */

export interface FileWriterOperations {
  write(request: FileWriterRequest): FileWriterResult;
}

export interface FileWriterRequest {
  dir: string;
  bodyBytes: number;
  bodiesPerFsync: number;
  seconds: number;
}

export interface FileWriterResult {
  bodies: number;
  seconds: number;
}

/** The file starts again here, so that a fast disk doesn't fill. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

function write({ dir, bodyBytes, bodiesPerFsync, seconds }: FileWriterRequest): FileWriterResult {
  const body = Buffer.from(bodyOf(loadTemplate(bodyBytes), randomUuid(seededRandom(1))));
  const batch = Array<Buffer>(bodiesPerFsync).fill(body);
  const file = join(dir, 'bodies');
  const fd = openSync(file, 'a');
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  let bodies = 0;
  let inFile = 0;
  while (performance.now() < until) {
    const written = writevSync(fd, batch);
    if (written !== bodiesPerFsync * body.length) throw new Error('a short write');
    fsyncSync(fd);
    bodies += bodiesPerFsync;
    inFile += written;
    if (inFile < MAX_FILE_BYTES) continue;
    ftruncateSync(fd, 0);
    inFile = 0;
  }
  const took = (performance.now() - startedAt) / 1000;
  closeSync(fd);
  unlinkSync(file);
  return { bodies, seconds: took };
}

answerWith({ write } satisfies FileWriterOperations);
