import { providerOf } from './providers.ts';

/**
 * Returns the name of an event's sender as it begins a sentence: `GitHub` for `github`. Returns an
 * unknown id as it is.
 */
export function providerName(provider: string): string {
  const known = providerOf(provider);
  return known?.sender ?? known?.title ?? provider;
}

/**
 * Returns the service's own name: `GitHub` for `github`. Returns null if the provider isn't one
 * single service.
 */
export function brandOf(provider: string | null): string | null {
  const known = providerOf(provider);
  return known && known.sender === undefined ? known.title : null;
}
