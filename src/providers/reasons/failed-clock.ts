import type { SignedClock } from '../../core/proof/failure-text.ts';
import type { SourceSettings } from '../../core/proof/source.ts';
import type { Verification } from '../../core/proof/verification.ts';
import { proofOf } from '../own-sources/proof-of.ts';
import { providerOf } from '../providers.ts';
import type { SignedRequest } from '../signing/signed-request.ts';

/** The parts of a stored request that show its signed time. */
export type TimedRequest = Pick<SignedRequest, 'rawHeaders' | 'body' | 'receivedAt'>;

/**
 * Returns the signed time of a request that failed because it was too old or in the future. Returns
 * null for any other request, and if the signed time is unknown.
 *
 * @param source the endpoint's present source, which knows a custom scheme; null if there is none
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
