import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { HookrelayError } from '../../../core/errors.ts';

/**
 * A body as its row holds it. Large bodies are compressed: for 100 KB of JSON this takes a
 * third of the time that disk and kernel save, because SQLite writes every page twice and
 * reads it once.
 *
 * The format is a Zstandard frame (RFC 8878) with a checksum.
 */
export interface StoredBody<Bytes extends Uint8Array = Buffer> {
  body: Bytes;
  /** Null for a body that isn't compressed. */
  uncompressed_size: number | null;
}

/** Smallest size at which compression saves time, by measurement. */
const COMPRESSED_FROM_BYTES = 16 * 1024;
/** Largest worthwhile ratio. A body that compresses less (archive, image) stays as received. */
const WORTH_IT = 7 / 8;
/** Size of the sample, from the middle of a body, that is tested for noise. */
const SAMPLE_BYTES = 1024;
/**
 * A sample with fewer ordered pairs of equal bytes is noise. Each byte also pairs with
 * itself. Archives, images and ciphertext have about 5,100 pairs, Base64 has 17,000, text
 * more.
 */
const LEAST_EQUAL_PAIRS = 8000;
/** Error codes that don't mean damage. */
const NO_MEMORY: ReadonlySet<string> = new Set([
  'ERR_MEMORY_ALLOCATION_FAILED',
  'ZSTD_error_memory_allocation',
]);
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };

export function storedBody<Bytes extends Uint8Array>(body: Bytes): StoredBody<Bytes | Buffer> {
  if (body.length >= COMPRESSED_FROM_BYTES && !looksLikeNoise(body)) {
    // zlib copies its pieces together, so few are better.
    const chunkSize = Math.ceil(body.length / 8);
    const compressed = zstdCompressSync(body, { params: PARAMS, chunkSize });
    if (compressed.length <= body.length * WORTH_IT) {
      return { body: compressed, uncompressed_size: body.length };
    }
  }
  return { body, uncompressed_size: null };
}

/** Whether compression is useless. Trying it would take a fifth of the time of storing. */
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

/** The body as received. Throws `database_unusable` when the stored bytes are damaged. */
export function receivedBody(stored: StoredBody): Buffer {
  const body = readableBody(stored);
  if (body) return body;
  throw new HookrelayError('database_unusable', 'a stored body is damaged', {
    hint: 'run hookrelay doctor --full to find the event, then restore a backup from before the damage',
  });
}

/** The body as received. Null when it is damaged, for callers that continue with other bodies. */
export function readableBody({ body, uncompressed_size: size }: StoredBody): Buffer | null {
  if (size === null) return body;
  try {
    // Without the spare byte zlib allocates the same memory again to detect the end.
    const received = zstdDecompressSync(body, { chunkSize: size + 1, maxOutputLength: size });
    return received.length === size ? received : null;
  } catch (error) {
    if (NO_MEMORY.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return null;
  }
}
