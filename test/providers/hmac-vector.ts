import { createHmac } from 'node:crypto';
import type { HeaderPair } from '../../src/core/model.ts';
import type { ToSign, Vector } from './vector.ts';

const SECRET = 'kT7-vendor secret/ä+1';
const OTHER_SECRET = 'kT7-vendor secret/ä+2';

interface HmacVector extends Partial<Vector> {
  header: string;
  hash?: 'sha1' | 'sha256' | 'sha512';
  encoding?: 'hex' | 'base64' | 'base64url';
  /** Secrets are spelled so. Absent: the secret's text is the key. */
  key?: 'hex' | 'base64';
  /** What is signed; the body by default. */
  signed?(request: ToSign, time: string): readonly (string | Buffer)[];
  /** How the time of signing is spelled. */
  time?(at: number): string;
  /** The value of the signature's header. */
  value?(signature: string, time: string): string;
  /** The header with the time, where it has one of its own. */
  timeHeader?: string;
}

/** The vector of an HMAC in a header, as a provider's documentation describes it. */
export function hmacVector({
  header,
  hash = 'sha256',
  encoding = 'hex',
  key,
  signed = ({ body }) => [body],
  time = (at) => String(at / 1000),
  value = (signature) => signature,
  timeHeader,
  ...vector
}: HmacVector): Vector {
  const spelled = (secret: string) => (key ? Buffer.from(secret).toString(key) : secret);
  return {
    secret: spelled(SECRET),
    otherSecret: spelled(OTHER_SECRET),
    header,
    body: '{"id":"ev_1","type":"thing.created","note":"ä ✓ \\u00e9","amount":1.50}',
    sign(request, secret) {
      const sent = time(request.at);
      const hmac = createHmac(hash, key ? Buffer.from(secret, key) : secret);
      for (const part of signed(request, sent)) hmac.update(part);
      const pairs: HeaderPair[] = [[header, value(hmac.digest(encoding), sent)]];
      return { headers: timeHeader ? [[timeHeader, sent], ...pairs] : pairs };
    },
    ...vector,
  };
}

/** A time in a header's list, as in `t=1,v1=ab`. */
export const listed =
  (timeName: string, signatureName: string, separator = ',') =>
  (signature: string, time: string) =>
    `${timeName}=${time}${separator}${signatureName}=${signature}`;

export const withPrefix = (prefix: string) => (signature: string) => prefix + signature;

/** What `<time>.<body>` and the like sign. */
export const timed =
  (separator: string) =>
  ({ body }: ToSign, time: string) => [`${time}${separator}`, body];

export const milliseconds = (at: number) => String(at);

/** Five minutes in both directions. */
export const FIVE_MINUTES = { pastS: 300, futureS: 300 };
