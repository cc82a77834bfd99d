import { HookrelayError } from '../../core/errors.ts';
import { basicProof } from '../own-sources/basic.ts';
import type { Stamp } from '../signing/stamp.ts';

/**
 * Proves a request with HTTP Basic. A token needs no stamp, because the person's URL contains it.
 */
export const postmarkStamp: Stamp = {
  place: 'Authorization',
  testSecret: 'hookrelay:test-secret',
  prove(_request, secret) {
    const problem = basicProof.problem(secret);
    if (problem !== null) {
      throw new HookrelayError('config_invalid', `the secret ${problem}`, {
        hint: "a token stands in the URL: --to 'URL?token=TOKEN'",
      });
    }
    return {
      headers: [['Authorization', `Basic ${Buffer.from(secret).toString('base64')}`]],
    };
  },
};
