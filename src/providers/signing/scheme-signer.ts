import { createHmac } from 'node:crypto';
import { HookrelayError } from '../../core/errors.ts';
import { keyOf } from './secret-key.ts';
import { type HeaderPair, type Signer, TEST_SECRET, type UnsignedRequest } from './signature.ts';
import type { SignatureScheme, SignedPart } from './signature-scheme.ts';

/**
 * The signer of an HMAC scheme.
 *
 * @param testSecret the public secret of samples, where any text won't do
 */
export function schemeSigner(scheme: SignatureScheme, testSecret = TEST_SECRET): Signer {
  return {
    testSecret,
    sign(request, secret) {
      const key = keyOf(scheme, secret);
      if (!Buffer.isBuffer(key)) {
        throw new HookrelayError('config_invalid', `the secret is not ${FORMS[scheme.key]}`);
      }
      const time = timeText(scheme, request.timestampS);
      const hmac = createHmac(scheme.algorithm.slice('hmac-'.length), key);
      for (const part of scheme.signed) hmac.update(partOf(part, request, time));
      return headersWith(scheme, hmac.digest(scheme.encoding), time);
    },
  };
}

const FORMS = {
  text: 'a text',
  hex: 'a key in hexadecimal',
  base64: 'a key in base64',
  standard: 'whsec_ and a key in base64',
};

function timeText({ time }: SignatureScheme, timestampS: number): string {
  if (time?.unit === 'ms') return String(timestampS * 1000);
  return time?.unit === 'iso' ? new Date(timestampS * 1000).toISOString() : String(timestampS);
}

function partOf(part: SignedPart, request: UnsignedRequest, time: string): string | Buffer {
  if (part === 'body') return request.body;
  if (part === 'time') return time;
  if (part === 'url') return request.url;
  if (part === 'method') return request.method;
  if ('text' in part) return part.text;
  return (
    request.headers?.find(([name]) => name.toLowerCase() === part.header.toLowerCase())?.[1] ?? ''
  );
}

function headersWith(
  { header, form, time }: SignatureScheme,
  signature: string,
  sent: string,
): HeaderPair[] {
  const ofTime: HeaderPair[] = time && 'header' in time.place ? [[time.place.header, sent]] : [];
  if ('prefix' in form) return [...ofTime, [header, form.prefix + signature]];
  if ('tag' in form) return [...ofTime, [header, `${form.tag},${signature}`]];
  const field = time && 'field' in time.place ? `${time.place.field}=${sent}${form.separator}` : '';
  return [...ofTime, [header, `${field}${form.field}=${signature}`]];
}
