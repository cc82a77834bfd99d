import type { SignedClock } from '../../core/proof/failure-text.ts';
import { sentSignature } from '../signing/sent-signature.ts';
import type { SignatureScheme, SignedTime } from '../signing/signature-scheme.ts';
import { headerOf, type SignedRequest } from '../signing/signed-request.ts';
import { timeOf } from '../signing/verify-scheme.ts';

/** Returns the signed time of a request. Returns null if it is missing or unreadable. */
export function schemeClock(scheme: SignatureScheme, request: SignedRequest): SignedClock | null {
  const { time } = scheme;
  if (time === null) return null;
  const sent =
    'header' in time.place
      ? headerOf(request, time.place.header)
      : sentSignature(scheme, request)?.time;
  return clockOf(time, sent ?? null, request);
}

/**
 * Returns the times that explain why a signed time was refused. Returns null if `text` isn't a
 * time.
 *
 * @param text the time as sent
 */
export function clockOf(
  time: Pick<SignedTime, 'unit' | 'toleranceMs'>,
  text: string | null,
  { receivedAt }: Pick<SignedRequest, 'receivedAt'>,
): SignedClock | null {
  const signedAt = timeOf(time, text);
  return signedAt === null ? null : { signedAt, receivedAt, allowedMs: time.toleranceMs };
}
