import { providerOf } from './providers.ts';

/**
 * The sender of an event, at the start of a sentence: `GitHub` for `github`; an unknown id stays as
 * it is.
 */
export function providerName(provider: string): string {
  const known = providerOf(provider);
  return known?.sender ?? known?.title ?? provider;
}

/** The service's own name, `GitHub` for `github`; null for a provider that isn't one service. */
export function brandOf(provider: string | null): string | null {
  const known = providerOf(provider);
  return known && known.sender === undefined ? known.title : null;
}
