import type { ProviderAnswer } from '../../../api/sources/provider-answer.ts';
import { loadProviders } from '../../model/page.ts';
import { type Loaded, useLoaded } from '../../parts/hooks/use-loaded.ts';

export function useProviders(): Loaded<ProviderAnswer[]> {
  return useLoaded('providers', loadProviders);
}
