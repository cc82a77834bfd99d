import { MASK } from './masked-secret.ts';

const END = `/${MASK}`;

/** Returns the form in which a secret URL is stored and shown: only its origin and a mask. */
export function maskedUrl(url: string): string {
  return new URL(url).origin + END;
}

export function isMaskedUrl(url: string): boolean {
  return url.endsWith(END);
}
