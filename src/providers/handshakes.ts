import type { Handshake, HandshakeRequest } from './provider.ts';
import { PROVIDERS, providerOf } from './providers.ts';
import type { SignedRequest } from './signing/signed-request.ts';

/** The handshakes of all providers that need no source. A request belongs to the first that it matches. */
export const HANDSHAKES_WITHOUT_SOURCE: readonly Handshake[] = PROVIDERS.flatMap(
  ({ handshakes = [] }) => handshakes.filter(({ withoutSource }) => withoutSource),
);

/** A larger body is no check of a URL. */
export const MOST_HANDSHAKE_BYTES = 64 * 1024;

/** The handshakes of a source's provider. */
export function handshakesOf(provider: string | null): readonly Handshake[] {
  return providerOf(provider)?.handshakes ?? [];
}

/** Whether a handshake of the provider brings its secret, so that a source may have none before. */
export function bringsSecret(provider: string): boolean {
  return handshakesOf(provider).some((handshake) => handshake.bringsSecret !== undefined);
}

/** The header, in lower case, in which the provider's handshake brings its secret; null for none. */
export function secretHeaderOf(provider: string | null): string | null {
  const found = handshakesOf(provider).find((handshake) => handshake.bringsSecret);
  return found?.bringsSecret?.header ?? null;
}

/** Whether an unsigned request is a URL check, which an enforced source of the provider answers. */
export function isUnsignedHandshake(
  provider: string,
  request: HandshakeRequest & Pick<SignedRequest, 'urls'>,
  secret: string | null,
): boolean {
  if (request.body.length > MOST_HANDSHAKE_BYTES) return false;
  const found = handshakesOf(provider).find(({ matches }) => matches(request));
  if (!found || found.signed) return false;
  // The secret of a stored request is masked.
  return found.bringsSecret !== undefined || found.answer(request, secret) !== null;
}
