import type { Handshake, HandshakeRequest } from './provider.ts';
import { PROVIDERS, providerOf } from './providers.ts';
import type { SignedRequest } from './signing/signed-request.ts';

/**
 * The handshakes that hookrelay answers on endpoints without a source. If a request matches
 * several, the first counts.
 */
export const HANDSHAKES_WITHOUT_SOURCE: readonly Handshake[] = PROVIDERS.flatMap(
  ({ handshakes = [] }) => handshakes.filter(({ withoutSource }) => withoutSource),
);

/** The largest body of a URL check, bytes. */
export const MOST_HANDSHAKE_BYTES = 64 * 1024;

/** Returns the handshakes of a source's provider. */
export function handshakesOf(provider: string | null): readonly Handshake[] {
  return providerOf(provider)?.handshakes ?? [];
}

/**
 * Returns true if a handshake of the provider brings the secret. A source may then have no secret
 * until the handshake comes.
 */
export function bringsSecret(provider: string): boolean {
  return handshakesOf(provider).some((handshake) => handshake.bringsSecret !== undefined);
}

/**
 * Returns the header in which the provider's handshake brings its secret, in lower case. Returns
 * null if no handshake brings one in a header.
 */
export function secretHeaderOf(provider: string | null): string | null {
  const found = handshakesOf(provider).find((handshake) => handshake.bringsSecret);
  return found?.bringsSecret?.header ?? null;
}

/**
 * Returns true if a request is an unsigned URL check of the provider. A source that rejects
 * unverified requests answers such a check.
 */
export function isUnsignedHandshake(
  provider: string,
  request: HandshakeRequest & Pick<SignedRequest, 'urls'>,
  secret: string | null,
): boolean {
  if (request.body.length > MOST_HANDSHAKE_BYTES) return false;
  const found = handshakesOf(provider).find(({ matches }) => matches(request));
  if (!found || found.signed) return false;
  // `answer` can't be tried for a handshake that brings a secret, because a stored request has the
  // secret masked.
  return found.bringsSecret !== undefined || found.answer(request, secret) !== null;
}
