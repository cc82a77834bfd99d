/** A picture that the page shows. */
export interface ImageInfo {
  type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif';
  /** Pixels; null if the file doesn't state its size in the usual place. */
  size: { width: number; height: number } | null;
}

/**
 * The largest picture that the browser decodes, pixels of 4 bytes. A file of a few kilobytes may
 * claim billions of pixels.
 */
export const MOST_PIXELS = 50_000_000;
/** The size of a JPEG or an AVIF is searched in this many bytes at its beginning. */
const LONGEST_HEAD = 256 * 1024;

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/**
 * Returns the type and size of a picture. Reads only the bytes, because a sender's content type may
 * lie. Returns null for other bytes, and for SVG, which is a document.
 */
export function imageOf(bytes: Uint8Array<ArrayBuffer>): ImageInfo | null {
  if (bytes.length < 16) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = ascii(bytes, 0, 16);
  if (head.startsWith('\x89PNG\r\n\x1a\n')) {
    const size = bytes.length < 24 ? null : sizeOf(view.getUint32(16), view.getUint32(20));
    return { type: 'image/png', size };
  }
  if (/^GIF8[79]a/.test(head)) {
    const size = sizeOf(view.getUint16(6, true), view.getUint16(8, true));
    return { type: 'image/gif', size };
  }
  if (head.startsWith('\xff\xd8\xff')) return { type: 'image/jpeg', size: jpegSize(view) };
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') {
    return { type: 'image/webp', size: webpSize(bytes, view) };
  }
  if (/^ftypavi[fs]/.test(head.slice(4)))
    return { type: 'image/avif', size: avifSize(bytes, view) };
  return null;
}

const sizeOf = (width: number, height: number) => ({ width, height });

/** Returns the size in the frame header, which other segments precede. */
function jpegSize(view: DataView): ImageInfo['size'] {
  const end = Math.min(view.byteLength, LONGEST_HEAD);
  for (let at = 2; at + 9 < end; ) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sizeOf(view.getUint16(at + 7), view.getUint16(at + 5));
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(bytes: Uint8Array, view: DataView): ImageInfo['size'] {
  if (bytes.length < 30) return null;
  switch (ascii(bytes, 12, 16)) {
    case 'VP8X': {
      const at = (from: number) => view.getUint16(from, true) + (view.getUint8(from + 2) << 16) + 1;
      return sizeOf(at(24), at(27));
    }
    case 'VP8 ':
      return sizeOf(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    default:
      return null;
  }
}

/** Returns the largest size in the file's properties (`ispe`). */
function avifSize(bytes: Uint8Array, view: DataView): ImageInfo['size'] {
  let found: ImageInfo['size'] = null;
  const end = Math.min(bytes.length - 16, LONGEST_HEAD);
  for (let at = 4; at <= end; at++) {
    if (bytes[at] !== 0x69 || ascii(bytes, at, at + 4) !== 'ispe') continue;
    const size = sizeOf(view.getUint32(at + 8), view.getUint32(at + 12));
    if (!found || size.width * size.height > found.width * found.height) found = size;
  }
  return found;
}
