import { createHmac } from 'node:crypto';
import { HookrelayError } from '../../core/errors.ts';
import type { HeaderPair } from '../../core/model.ts';
import { KEY_FORMS, keyOf } from './secret-key.ts';
import { type Signer, TEST_SECRET, type UnsignedRequest } from './signature.ts';
import type { SignatureScheme, SignedPart } from './signature-scheme.ts';

export function schemeSigner(scheme: SignatureScheme): Signer {
  const { key, form } = scheme;
  const signAll = (request: UnsignedRequest, secrets: readonly string[]) => {
    const time = timeText(scheme, request.timestampS);
    const signatures = secrets.map((secret) => signatureOf(scheme, request, secret, time));
    return headersWith(scheme, signatures, time);
  };
  const takesSeveral = 'tag' in form || ('field' in form && !form.isSingle);
  const isEncoded = key === 'hex' || key === 'base64';
  return {
    testSecret: isEncoded ? Buffer.from(TEST_SECRET).toString(key) : TEST_SECRET,
    sign: (request, secret) => signAll(request, [secret]),
    ...(takesSeveral && { signAll }),
  };
}

function signatureOf(
  scheme: SignatureScheme,
  request: UnsignedRequest,
  secret: string,
  time: string,
): string {
  const key = keyOf(scheme, secret);
  if (!Buffer.isBuffer(key)) {
    throw new HookrelayError('config_invalid', `the secret ${KEY_FORMS[scheme.key]}`);
  }
  const hmac = createHmac(scheme.algorithm.slice('hmac-'.length), key);
  for (const part of scheme.signed) hmac.update(partOf(part, request, time));
  const signature = hmac.digest(scheme.encoding);
  return scheme.isUpperCase ? signature.toUpperCase() : signature;
}

/** Returns the time of signing in the scheme's unit. */
export function timeText({ time }: SignatureScheme, timestampS: number): string {
  if (time?.unit === 'ms') return String(timestampS * 1000);
  return time?.unit === 'iso' ? new Date(timestampS * 1000).toISOString() : String(timestampS);
}

/** Returns one part of the signed text. */
export function partOf(part: SignedPart, request: UnsignedRequest, time: string): string | Buffer {
  if (part === 'body') return request.body;
  if (part === 'time') return time;
  if (part === 'url') return request.url;
  if (part === 'method') return request.method;
  if ('text' in part) return part.text;
  const header = request.headers?.find(
    ([name]) => name.toLowerCase() === part.header.toLowerCase(),
  );
  return Buffer.from(header?.[1] ?? '', 'latin1');
}

/** Returns the headers with the encoded signatures and the time. */
export function headersWith(
  { header, form, time, beside = [], unsignedTime }: SignatureScheme,
  signatures: readonly string[],
  sent: string,
): HeaderPair[] {
  const timeHeader = time && 'header' in time.place ? time.place.header : unsignedTime;
  const others: HeaderPair[] = timeHeader ? [...beside, [timeHeader, sent]] : [...beside];
  if ('prefix' in form) return [...others, [header, form.prefix + signatures[0]]];
  if ('tag' in form) {
    return [...others, [header, signatures.map((one) => `${form.tag},${one}`).join(' ')]];
  }
  const fields = signatures.map((one) => `${form.field}=${one}`);
  if (time && 'field' in time.place) fields.unshift(`${time.place.field}=${sent}`);
  return [...others, [header, fields.join(form.separator + (form.isSpaced ? ' ' : ''))]];
}
