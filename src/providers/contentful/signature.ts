import { clockOf } from '../reasons/signed-clock.ts';
import { checkHmac, hmacText, SHA256_HEX } from '../signing/check-hmac.ts';
import type { Proof } from '../signing/proof.ts';
import { anyOf } from '../signing/secret-outcome.ts';
import { type Signer, TEST_SECRET } from '../signing/signature.ts';
import type { SignedTime } from '../signing/signature-scheme.ts';
import { headerOf, headersOf, type SignedRequest } from '../signing/signed-request.ts';
import { withinWindow } from '../signing/verify-scheme.ts';

export const SIGNATURE_HEADER = 'x-contentful-signature';
const NAMES_HEADER = 'x-contentful-signed-headers';
const TIME_HEADER = 'x-contentful-timestamp';

/** Contentful's library accepts a request up to 30 seconds old, and any time in the future. */
const TIME: SignedTime = {
  place: { header: TIME_HEADER },
  unit: 'ms',
  toleranceMs: 30_000,
  isTwoSided: false,
};
/** The largest number of headers that a signature may name. */
const MOST_NAMES = 100;

/**
 * The hexadecimal HMAC-SHA256 of four lines: the method, the path with its query, the signed
 * headers (`name:value;name:value`, sorted by name), and the body.
 *
 * https://www.contentful.com/developers/docs/webhooks/request-verification/
 */
export const contentfulProof: Proof = {
  grade: 'verified',
  coversUrl: true,
  secret: "the space's request verification secret",
  problem: () => null,
  clock: (request) => clockOf(TIME, headerOf(request, TIME_HEADER), request),
  check(request, secret) {
    const sent = headerOf(request, SIGNATURE_HEADER);
    if (sent === null) return 'signature_missing';
    const names = (headerOf(request, NAMES_HEADER) ?? '').split(',').map((one) => one.trim());
    const isSigned = names.includes(TIME_HEADER) && names.includes(NAMES_HEADER);
    if (!isSigned || names.length > MOST_NAMES) return 'signature_malformed';
    if (names.some((name) => headersOf(request, name).length > 1)) return 'signature_malformed';
    const headers = namedHeaders(request, names);
    const outcomes = request.urls.map((url) =>
      checkHmac(SHA256_HEX, secret, partsOf(request.method, url, headers, request.body), [sent]),
    );
    return (
      anyOf(outcomes) ?? withinWindow(TIME, headerOf(request, TIME_HEADER), request.receivedAt)
    );
  },
};

export const contentfulSigner: Signer = {
  testSecret: TEST_SECRET,
  sign({ method, url, body, timestampS }, secret) {
    const signed: [string, string][] = [
      [NAMES_HEADER, `${NAMES_HEADER},${TIME_HEADER}`],
      [TIME_HEADER, String(timestampS * 1000)],
    ];
    const headers = signed.map(([name, value]) => `${name}:${value}`).join(';');
    const signature = hmacText(SHA256_HEX, secret, partsOf(method, url, headers, body));
    return [...signed, [SIGNATURE_HEADER, signature]];
  },
};

function namedHeaders(request: SignedRequest, names: readonly string[]): string {
  return [...new Set(names)]
    .sort()
    .flatMap((name) => {
      const value = headerOf(request, name);
      return value === null ? [] : `${name.toLowerCase()}:${value.trim()}`;
    })
    .join(';');
}

function partsOf(method: string, url: string, headers: string, body: Buffer): (string | Buffer)[] {
  return [`${method}\n${encodedTarget(url)}\n`, Buffer.from(headers, 'latin1'), '\n', body];
}

/**
 * Returns path and query as Contentful's library encodes them. The library encodes the query twice.
 */
function encodedTarget(url: string): string {
  const target = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').toWellFormed();
  const [path = '', query = ''] = target.split('?');
  return encodeURI(query === '' ? path : `${path}?${encodeURIComponent(query)}`);
}
