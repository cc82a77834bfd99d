import { hash, timingSafeEqual } from 'node:crypto';

/** Compares two texts. The time that this takes doesn't depend on their content. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
