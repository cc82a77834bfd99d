import { MASK } from './masked-secret.ts';

const END = `/${MASK}`;

/** A secret URL as it is stored and shown: only its origin. */
export function maskedUrl(url: string): string {
  return new URL(url).origin + END;
}

export function isMaskedUrl(url: string): boolean {
  return url.endsWith(END);
}
