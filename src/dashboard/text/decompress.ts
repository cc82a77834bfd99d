/** The encodings that browsers can decompress. */
type Encoding = 'gzip' | 'deflate' | 'deflate-raw';

export interface Decoded {
  bytes: Uint8Array<ArrayBuffer>;
  encoding: Encoding;
  /** Whether further bytes of the body were dropped. */
  isCut: boolean;
}

/**
 * The largest part of a body that is decompressed, bytes. A zip bomb of one megabyte expands to a
 * gigabyte.
 */
const MOST_DECODED_BYTES = 25 * 1024 * 1024;

/**
 * Returns the encodings that a body may have, the likeliest first. Bytes that begin like gzip are
 * gzip, because many senders forget the header. For any other body, the header names the encoding.
 */
export function encodingsOf(
  headers: readonly (readonly [string, string])[],
  bytes: Uint8Array,
): Encoding[] {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
  if (isGzip) return ['gzip'];
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
  // Some senders send `deflate` without the wrapper that RFC 9110 demands.
  return bytes.length > 0 && named.at(-1) === 'deflate' ? ['deflate', 'deflate-raw'] : [];
}

/** Decompresses a body with the first encoding that works. Returns null if none works. */
export async function decompress(
  bytes: Uint8Array<ArrayBuffer>,
  encodings: readonly Encoding[],
  most = MOST_DECODED_BYTES,
): Promise<Decoded | null> {
  for (const encoding of encodings) {
    const decoded = await decompressAs(bytes, encoding, most);
    if (decoded) return decoded;
  }
  return null;
}

async function decompressAs(
  bytes: Uint8Array<ArrayBuffer>,
  encoding: Encoding,
  most: number,
): Promise<Decoded | null> {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream(encoding))
    .getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  let isCut = false;
  try {
    while (!isCut) {
      const { done, value } = await reader.read();
      if (done) break;
      const part = value.subarray(0, most - length);
      isCut = part.length < value.length;
      parts.push(part);
      length += part.length;
    }
    if (isCut) await reader.cancel();
  } catch {
    // The bytes before the error are worthless, because the body may not have this encoding at all.
    return null;
  }
  return { bytes: new Uint8Array(await new Blob(parts).arrayBuffer()), encoding, isCut };
}

/**
 * Returns bytes as text, without a byte order mark. Returns null if the bytes aren't UTF-8.
 *
 * @param isCut whether the bytes may end within a character
 */
export function utf8Text(bytes: Uint8Array, isCut = false): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return null;
  }
}
