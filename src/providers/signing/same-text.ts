import { hash, timingSafeEqual } from 'node:crypto';

/** Compares two texts in a time that doesn't depend on their content, to prevent timing attacks. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
