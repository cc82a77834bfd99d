import type { Handshake, HandshakeRequest } from './provider.ts';
import { PROVIDERS, providerOf } from './providers.ts';
import { headerOf, type SignedRequest } from './signing/signed-request.ts';

/** The handshakes that hookrelay answers on endpoints without a source. The first match counts. */
export const HANDSHAKES_WITHOUT_SOURCE: readonly Handshake[] = PROVIDERS.flatMap(
  ({ handshakes = [] }) => handshakes.filter(({ withoutSource }) => withoutSource),
);

/** The handshakes of `HANDSHAKES_WITHOUT_SOURCE` that have no header of their own. */
const HEADERLESS = HANDSHAKES_WITHOUT_SOURCE.filter(({ header }) => header === undefined);

/**
 * Returns the handshake that hookrelay answers on an endpoint without a source. Undefined for any
 * other request.
 *
 * @param hasHandshakeHeader `recognise` has found the header of a handshake
 */
export function handshakeWithoutSource(
  request: HandshakeRequest,
  hasHandshakeHeader: boolean,
): Handshake | undefined {
  const handshakes = hasHandshakeHeader ? HANDSHAKES_WITHOUT_SOURCE : HEADERLESS;
  return handshakes.find((handshake) => isHandshake(handshake, request));
}

/** Returns true if a request is the handshake. */
export function isHandshake(
  { method, header, matches }: Handshake,
  request: HandshakeRequest,
): boolean {
  if (method !== undefined && method !== request.method) return false;
  if (header !== undefined && headerOf(request, header) === null) return false;
  return matches?.(request) ?? true;
}

/** The largest body of a URL check, bytes. */
export const MOST_HANDSHAKE_BYTES = 64 * 1024;

export function handshakesOf(provider: string | null): readonly Handshake[] {
  return providerOf(provider)?.handshakes ?? [];
}

/**
 * Returns true if a handshake of the provider delivers the secret. Before the handshake, a source
 * of this provider may have no secret.
 */
export function bringsSecret(provider: string): boolean {
  return handshakesOf(provider).some((handshake) => handshake.bringsSecret !== undefined);
}

/**
 * Returns the header in which a handshake delivers the secret, in lower case. Returns null if there
 * is none.
 */
export function secretHeaderOf(provider: string | null): string | null {
  const found = handshakesOf(provider).find((handshake) => handshake.bringsSecret);
  return found?.bringsSecret?.header ?? null;
}

/**
 * Returns true if a request is an unsigned URL check of the provider. A source that rejects
 * unverified requests still answers it.
 */
export function isUnsignedHandshake(
  provider: string,
  request: HandshakeRequest & Pick<SignedRequest, 'urls'>,
  secret: string | null,
): boolean {
  if (request.body.length > MOST_HANDSHAKE_BYTES) return false;
  const found = handshakesOf(provider).find((handshake) => isHandshake(handshake, request));
  if (!found || found.signed) return false;
  // A stored request has the secret masked. So `answer` can't be tried for a handshake that
  // delivers the secret.
  return found.bringsSecret !== undefined || found.answer(request, secret) !== null;
}
