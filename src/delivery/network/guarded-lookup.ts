import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { AttemptFailure } from './attempt-failure.ts';
import { isPublicAddress } from './block-list.ts';

/**
 * Returns a lookup for `net.connect` that refuses a name if *any* of its addresses isn't public. A
 * name with both kinds is an attack, because the connection would fall back to the private address.
 * The socket connects only to the checked addresses. That prevents DNS rebinding.
 */
export function guardedLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer, family) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const addresses: LookupAddress[] = Array.isArray(answer)
        ? answer
        : [{ address: answer, family: family ?? 4 }];
      const [first] = addresses;
      if (!first) {
        callback(new AttemptFailure('dns_error', 'The name has no address.'), '', 0);
      } else if (!addresses.every(({ address }) => isPublicAddress(address))) {
        const message = 'The name leads to an address that is not public.';
        callback(new AttemptFailure('blocked_address', message), '', 0);
      } else if (options.all) {
        callback(null, addresses);
      } else {
        callback(null, first.address, first.family);
      }
    });
  };
}
