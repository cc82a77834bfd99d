import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { HookrelayError } from '../../../core/errors.ts';

/**
 * A body as its row stores it. Large bodies are compressed to save time, because SQLite writes
 * every page twice and reads it once. Compressing 100 KB of JSON takes a third of the time that it
 * saves.
 *
 * The format is a Zstandard frame (RFC 8878) with a checksum.
 */
export interface StoredBody<Bytes extends Uint8Array = Buffer> {
  body: Bytes;
  /** Null if the body isn't compressed. */
  uncompressed_size: number | null;
}

/** The smallest size at which compression saves time. It was measured. */
const COMPRESSED_FROM_BYTES = 16 * 1024;
/**
 * The largest share of its size to which a body must compress. Archives and images stay as
 * received.
 */
const WORTH_IT = 7 / 8;
/** Size of the sample from the middle of a body, bytes. */
const SAMPLE_BYTES = 1024;
/**
 * A sample with fewer ordered pairs of equal bytes is noise. Each byte also pairs with itself.
 * Samples of archives, images and ciphertext have about 5,100 pairs. Base64 has 17,000, and text
 * has more.
 */
const LEAST_EQUAL_PAIRS = 8000;
/** Error codes that don't mean that the body is damaged. */
const NO_MEMORY: ReadonlySet<string> = new Set([
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ZSTD_error_memory_allocation',
]);
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

export function storedBody<Bytes extends Uint8Array>(body: Bytes): StoredBody<Bytes | Buffer> {
  if (body.length >= COMPRESSED_FROM_BYTES && !looksLikeNoise(body)) {
    // zlib concatenates its chunks at the end, so fewer chunks are faster.
    const chunkSize = Math.ceil(body.length / 8);
    const compressed = zstdCompressSync(body, { params: PARAMS, chunkSize });
    if (compressed.length <= body.length * WORTH_IT) {
      return { body: compressed, uncompressed_size: body.length };
    }
  }
  return { body, uncompressed_size: null };
}

/**
 * Whether compression is useless. Compressing such a body to find out would cost a fifth of the
 * time of storing it.
 */
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

/** Returns the body as received. Throws `database_unusable` if the stored bytes are damaged. */
export function receivedBody(stored: StoredBody): Buffer {
  const body = readableBody(stored);
  if (body) return body;
  throw new HookrelayError('database_unusable', 'a stored body is damaged', {
    hint: 'run hookrelay doctor --full to find the event, then restore a backup from before the damage',
  });
}

/** Returns the body as received; null if it is damaged. */
export function readableBody({ body, uncompressed_size: size }: StoredBody): Buffer | null {
  if (size === null) return body;
  try {
    // Without the spare byte, zlib allocates the same memory again to detect the end.
    const received = zstdDecompressSync(body, { chunkSize: size + 1, maxOutputLength: size });
    return received.length === size ? received : null;
  } catch (error) {
    if (NO_MEMORY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return null;
  }
}
