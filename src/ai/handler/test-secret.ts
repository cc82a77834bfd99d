import type { HandlerScheme } from './handler-scheme.ts';

/** Returns a secret for a generated test, in the form of the scheme's key. */
export function testSecret(key: HandlerScheme['key'], text: string): string {
  if (key === 'text') return text;
  return key === 'standard'
    ? `whsec_${Buffer.from(text).toString('base64')}`
    : Buffer.from(text).toString(key);
}
