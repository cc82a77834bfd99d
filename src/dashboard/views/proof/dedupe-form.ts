import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';

export type DedupeKind = 'off' | 'provider' | 'paths';

export interface DedupeForm {
  kind: DedupeKind;
  /** Paths, one per line, because a path may contain a comma. */
  paths: string;
}

export function dedupeFormOf({ dedupe }: Pick<EndpointAnswer, 'dedupe'>): DedupeForm {
  if (dedupe === null) return { kind: 'off', paths: '' };
  if (dedupe.by === 'provider') return { kind: 'provider', paths: '' };
  return { kind: 'paths', paths: dedupe.by.join('\n') };
}

export function dedupeOf({ kind, paths }: DedupeForm): { by: 'provider' | string[] } | null {
  if (kind === 'off') return null;
  if (kind === 'provider') return { by: 'provider' };
  return { by: linesOf(paths) };
}

/**
 * Returns the places of the provider's delivery id. Returns `none` if the provider has no such id,
 * and `unknown` if the provider is unknown.
 */
export function deliveryIdOf(
  { source }: Pick<EndpointAnswer, 'source'>,
  catalogue: readonly ProviderAnswer[] | null,
): readonly string[] | 'none' | 'unknown' {
  const provider = catalogue?.find(({ name }) => name === source?.provider);
  if (!provider || isOwn(provider)) return 'unknown';
  return provider.dedupes_by ?? 'none';
}

/** Returns whether the entry isn't a provider but a general way to verify requests. */
function isOwn({ name }: ProviderAnswer): boolean {
  return ['token', 'basic', 'custom'].includes(name);
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
