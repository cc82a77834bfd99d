import { sizeText } from '../terminal/value-text.ts';

const GIB = 1024 ** 3;

/** `1.5 KB`, `24.0 MB`, `118.4 GB`: powers of 1024. */
export function bytesText(bytes: number): string {
  return bytes < GIB ? sizeText(bytes) : `${(bytes / GIB).toFixed(1)} GB`;
}
