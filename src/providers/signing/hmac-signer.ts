import { createHmac } from 'node:crypto';
import type { HmacScheme } from './hmac-scheme.ts';
import { type Signer, TEST_SECRET } from './signature.ts';

/**
 * The signer of an HMAC scheme.
 *
 * @param header the header of the signature, as the provider spells it
 */
export function hmacSigner(header: string, scheme: HmacScheme): Signer {
  const { hash, encoding, prefix, time } = scheme;
  return {
    testSecret: TEST_SECRET,
    sign({ body, timestampS }, secret) {
      const hmac = createHmac(hash, secret);
      if (time) hmac.update(`${time.before}${timestampS}${time.after}`);
      const signature = prefix + hmac.update(body).digest(encoding);
      if (!time) return [[header, signature]];
      const { place } = time;
      if ('timeField' in place) {
        const { timeField, signatureField } = place;
        return [[header, `${timeField}=${timestampS},${signatureField}=${signature}`]];
      }
      return [
        [place.header, String(timestampS)],
        [header, signature],
      ];
    },
  };
}
