import { providerOf } from './providers.ts';

/**
 * Returns the sender's name for the start of a sentence: `GitHub` for `github`. Returns an unknown
 * id unchanged.
 */
export function providerName(provider: string): string {
  const known = providerOf(provider);
  return known?.sender ?? known?.title ?? provider;
}

/**
 * Returns the service's name: `GitHub` for `github`. Returns null if the provider is a protocol of
 * many services.
 */
export function brandOf(provider: string | null): string | null {
  const known = providerOf(provider);
  return known && known.sender === undefined ? known.title : null;
}
