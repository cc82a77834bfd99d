import { HookrelayError } from '../../core/errors.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { Stamp } from '../signing/stamp.ts';

/** Characters that a header's value can't have (RFC 9110, section 5.5). */
const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** A header repeats the token. */
export function tokenStamp(header: string): Stamp {
  return {
    place: header,
    testSecret: TEST_SECRET,
    prove(_request, secret) {
      if (INVALID_VALUE.test(secret)) {
        throw new HookrelayError(
          'config_invalid',
          'the secret holds characters that cannot be sent in a header',
        );
      }
      return { headers: [[header, secret]] };
    },
  };
}
