import type { HookrelayError } from '../../core/errors.ts';
import type { Endpoint } from '../../core/model.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { isStandardSignature, resignerOf, tryResigning } from '../../providers/resign.ts';
import { invalidField } from '../invalid-input.ts';

/**
 * Throws `invalid_input` if hookrelay can't sign for a destination with `sign_as`.
 *
 * @param hasSecret whether the destination also signs with a secret of its own
 */
export function requireSignable(
  { id, source }: Pick<Endpoint, 'id' | 'source'>,
  hasSecret: boolean,
  keys: Keys,
): void {
  if (!source) throw refused('needs a source on the endpoint: its secrets sign');
  const { provider } = source;
  if (!resignerOf(provider)) {
    throw refused(`is not possible with the source ${provider}: hookrelay can't sign as it does`);
  }
  const tried = tryResigning(source, (sealed) => keys.open(sealed, id));
  if ('refusal' in tried) throw refused(`is not possible: ${tried.refusal}`);
  if (hasSecret && isStandardSignature(tried.headers)) {
    throw refused(
      `is not possible beside a secret: ${provider} signs in the same headers; set secret to null`,
    );
  }
}

function refused(message: string): HookrelayError {
  return invalidField('sign_as', message);
}
