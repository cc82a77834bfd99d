import { hmacText, SHA256_HEX } from '../signing/check-hmac.ts';
import { TEST_SECRET } from '../signing/signature.ts';
import type { Stamp } from '../signing/stamp.ts';
import { HEADER, manifest, REQUEST_ID } from './verify.ts';

/** The signature covers the query's `data.id`, the request's id and the time. */
export const mercadoPagoStamp: Stamp = {
  place: HEADER.header,
  testSecret: TEST_SECRET,
  prove({ url, timestampS, deliveryId, headers = [] }, secret) {
    const sent = headers.find(([name]) => name.toLowerCase() === REQUEST_ID);
    const requestId = sent?.[1] ?? deliveryId;
    const time = String(timestampS);
    const signed = manifest({ query: new URL(url).search.slice(1), requestId, time });
    const signature = hmacText(SHA256_HEX, secret, [signed]);
    return {
      headers: [
        [REQUEST_ID, requestId],
        [HEADER.header, `ts=${time},v1=${signature}`],
      ],
    };
  },
};
