import type { HeaderPair } from '../../../core/model.ts';
import { maskedSecret } from '../../../core/secrets/masked-secret.ts';
import type { HttpOutcome } from './attempt.ts';
import type { DestinationHeaders } from './destination-headers.ts';

/** Shorter values are too common to replace. */
const LEAST_CHARACTERS = 8;

/**
 * Returns the secrets in a destination's headers: each value, and the part after its first space.
 * The latter is the token in a value like `Bearer abc…`.
 */
export function headerSecrets({ flat }: DestinationHeaders): string[] {
  const values = flat.filter((_, i) => i % 2 === 1);
  return values.flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)]);
}

/** Returns the response with the request's secrets masked, because a receiver may repeat them. */
export function maskedEcho<T extends Pick<HttpOutcome, 'responseHeaders' | 'responseBody'>>(
  outcome: T,
  all: readonly string[],
): T {
  const secrets = all.filter(({ length }) => length >= LEAST_CHARACTERS);
  if (secrets.length === 0) return outcome;
  const masked = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, () => maskedSecret(secret)), text);
  const { responseHeaders, responseBody } = outcome;
  return {
    ...outcome,
    responseHeaders:
      responseHeaders?.map(([name, value]): HeaderPair => [name, masked(value)]) ?? null,
    responseBody: responseBody === null ? null : masked(responseBody),
  };
}
