import { MASK } from './masked-secret.ts';

const END = `/${MASK}`;

/** Returns the stored and shown form of a secret URL: its origin and a mask. */
export function maskedUrl(url: string): string {
  return new URL(url).origin + END;
}

export function isMaskedUrl(url: string): boolean {
  return url.endsWith(END);
}
