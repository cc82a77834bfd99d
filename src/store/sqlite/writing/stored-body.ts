import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { HookrelayError } from '../../../core/errors.ts';

/**
 * A body as its row holds it. Large ones are compressed: what the disk and the
 * kernel take of 100 KB of JSON is three times what compressing them takes, as
 * every page is written to the log, read back and written to the database.
 *
 * Zstandard frames are a standard (RFC 8878) and carry a checksum.
 */
export interface StoredBody<Bytes extends Uint8Array = Buffer> {
  body: Bytes;
  /** Null where it lies there as it was received. */
  uncompressed_size: number | null;
}

/** Measured: below it, compressing takes longer than what it saves. */
const COMPRESSED_FROM_BYTES = 16 * 1024;
/** One that stays larger (an archive, an image) is kept as it is: reading it is then free. */
const WORTH_IT = 7 / 8;
/** Bytes from the middle of a body, which tell whether it looks like noise. */
const SAMPLE_BYTES = 1024;
/**
 * Ordered pairs of equal bytes in a sample, each byte's with itself among them.
 * Noise has about 5,100, and archives, images and ciphertext look like it;
 * base64 has 17,000, and text more.
 */
const LEAST_EQUAL_PAIRS = 8000;
/** What is no damage. */
const NO_MEMORY: ReadonlySet<string> = new Set([
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ZSTD_error_memory_allocation',
]);
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

export function storedBody<Bytes extends Uint8Array>(body: Bytes): StoredBody<Bytes | Buffer> {
  if (body.length >= COMPRESSED_FROM_BYTES && !looksLikeNoise(body)) {
    // In few pieces: they are copied together.
    const chunkSize = Math.ceil(body.length / 8);
    const compressed = zstdCompressSync(body, { params: PARAMS, chunkSize });
    if (compressed.length <= body.length * WORTH_IT) {
      return { body: compressed, uncompressed_size: body.length };
    }
  }
  return { body, uncompressed_size: null };
}

/** What can't be compressed isn't tried: that would take a fifth of what storing it does. */
function looksLikeNoise(body: Uint8Array): boolean {
  const middle = Math.floor((body.length - SAMPLE_BYTES) / 2);
  const counts = new Uint16Array(256);
  let pairs = 0;
  for (const byte of body.subarray(middle, middle + SAMPLE_BYTES)) {
    const before = counts[byte] as number;
    pairs += 2 * before + 1;
    counts[byte] = before + 1;
  }
  return pairs < LEAST_EQUAL_PAIRS;
}

/** The body as it was received. Throws `database_unusable` when what is stored of it is damaged. */
export function receivedBody(stored: StoredBody): Buffer {
  const body = readableBody(stored);
  if (body) return body;
  throw new HookrelayError('database_unusable', 'a stored body is damaged', {
    hint: 'run hookrelay doctor --full, which names an event, and restore a backup from before',
  });
}

/** The body as it was received, or null when it is damaged: for those who go on with the others. */
export function readableBody({ body, uncompressed_size: size }: StoredBody): Buffer | null {
  if (size === null) return body;
  try {
    // With room to spare, or zlib asks for as much memory again to see that it is at the end.
    const received = zstdDecompressSync(body, { chunkSize: size + 1, maxOutputLength: size });
    return received.length === size ? received : null;
  } catch (error) {
    if (NO_MEMORY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return null;
  }
}
