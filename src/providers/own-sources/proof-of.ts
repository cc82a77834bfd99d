import type { SourceSettings } from '../../core/proof/source.ts';
import { providerOf } from '../providers.ts';
import type { Proof } from '../signing/proof.ts';
import { basicProof } from './basic.ts';
import { customProof } from './custom.ts';
import { tokenProof } from './token.ts';

/** Returns the proof of a source. Returns null if this version doesn't know the provider. */
export function proofOf(source: SourceSettings): Proof | null {
  if (source.provider === 'token') return source.in === null ? null : tokenProof(source.in);
  if (source.provider === 'basic') return basicProof;
  if (source.provider === 'custom') return source.scheme && customProof(source.scheme);
  return providerOf(source.provider)?.proof ?? null;
}
