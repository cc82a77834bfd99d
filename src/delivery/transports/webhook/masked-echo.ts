import type { HeaderPair } from '../../../core/model.ts';
import { maskedSecret } from '../../../core/secrets/masked-secret.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { DestinationHeaders } from './destination-headers.ts';

/** Shorter values are too common to replace. */
const LEAST_CHARACTERS = 8;

/**
 * A response without the secret header values that the receiver repeated. Of
 * `Bearer abc…`, the token alone is masked too.
 */
export function maskedEcho<T extends Pick<AttemptOutcome, 'responseHeaders' | 'responseBody'>>(
  outcome: T,
  { flat }: DestinationHeaders,
): T {
  const values = flat.filter((_, i) => i % 2 === 1);
  const secrets = values
    .flatMap((value) => [value, value.slice(value.indexOf(' ') + 1)])
    .filter(({ length }) => length >= LEAST_CHARACTERS);
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
