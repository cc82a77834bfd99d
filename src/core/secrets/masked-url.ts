import { MASK } from './masked-secret.ts';

const END = `/${MASK}`;

/** What stands for a URL that is a secret, where it is stored and shown: its origin says enough. */
export function maskedUrl(url: string): string {
  return new URL(url).origin + END;
}

export function isMaskedUrl(url: string): boolean {
  return url.endsWith(END);
}
