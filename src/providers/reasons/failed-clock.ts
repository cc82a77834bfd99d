import type { SignedClock } from '../../core/proof/failure-text.ts';
import type { SourceSettings } from '../../core/proof/source.ts';
import type { Verification } from '../../core/proof/verification.ts';
import { proofOf } from '../own-sources/proof-of.ts';
import { providerOf } from '../providers.ts';
import type { SignedRequest } from '../signing/signed-request.ts';

/** A stored request, without what checking its proof needs. */
export type TimedRequest = Pick<SignedRequest, 'rawHeaders' | 'body' | 'receivedAt'>;

/**
 * The signed time of a request that came too late or too early; null for other requests, and for an
 * unknown time.
 *
 * @param source the endpoint's present one, which alone has a custom scheme; null without one
 */
export function failedClock(
  { reason, provider }: Pick<Verification, 'reason' | 'provider'>,
  source: SourceSettings | null,
  request: TimedRequest,
): SignedClock | null {
  if (reason !== 'timestamp_too_old' && reason !== 'timestamp_in_future') return null;
  const proof = source?.provider === provider ? proofOf(source) : providerOf(provider)?.proof;
  return proof?.clock?.({ ...request, method: '', urls: [], query: '' }) ?? null;
}
