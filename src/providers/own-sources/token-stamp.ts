import { HookrelayError } from '../../core/errors.ts';
import type { HeaderPair } from '../../core/model.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { Stamp } from '../signing/stamp.ts';

/** Characters that a header's value can't have (RFC 9110, section 5.5). */
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

export function tokenStamp(place: string): Stamp {
  return {
    place,
    testSecret: TEST_SECRET,
    prove: (_request, secret) => ({ headers: [tokenHeader(place, secret)] }),
  };
}

/**
 * Returns a header with the token. Throws `config_invalid` if the token can't be sent in a header.
 */
export function tokenHeader(name: string, token: string): HeaderPair {
  if (INVALID_VALUE.test(token)) {
    throw new HookrelayError(
      'config_invalid',
      'the secret holds characters that cannot be sent in a header',
    );
  }
  return [name, token];
}
