import type { SignatureScheme } from '../../providers/signing/signature-scheme.ts';

/**
 * A signature that the templates can verify: an HMAC-SHA256 of the body. Its key is the UTF-8 text
 * of the secret.
 */
export interface HandlerScheme {
  encoding: 'hex' | 'base64';
  /** The text before the signature in its header, such as `sha256=`. Empty if there is none. */
  prefix: string;
  /** Null if only the body is signed. */
  time: HandlerTime | null;
}

/**
 * A time in Unix seconds. The signed text is `before`, then the seconds, then `after`, then the
 * body.
 */
export interface HandlerTime {
  /**
   * Where the seconds are: in a header of their own, or in the signature's header, as a field of a
   * list such as `t=1,v1=ab,v1=cd`.
   */
  place: { header: string } | { timeField: string; signatureField: string };
  before: string;
  after: string;
  /** The largest difference from now that the provider's library accepts, seconds. */
  toleranceS: number;
}

/**
 * hookrelay's own signature (Standard Webhooks). The signed text begins with the event's id and a
 * dot.
 */
export const STANDARD: { header: string; scheme: HandlerScheme } = {
  header: 'webhook-signature',
  scheme: {
    encoding: 'base64',
    prefix: 'v1,',
    time: { place: { header: 'webhook-timestamp' }, before: '', after: '.', toleranceS: 300 },
  },
};

/** Returns a provider's scheme as the templates need it, or null if they can't verify it. */
export function handlerScheme(scheme: SignatureScheme): HandlerScheme | null {
  const { algorithm, key, encoding, form, signed, time } = scheme;
  if (algorithm !== 'hmac-sha256' || key !== 'text' || encoding === 'base64url') return null;
  const prefix = 'prefix' in form ? form.prefix : '';
  const common = { encoding, prefix };
  if (time === null) {
    const isPlain = signed.length === 1 && signed[0] === 'body' && 'prefix' in form;
    return isPlain ? { ...common, time: null } : null;
  }
  const texts = signed.map((part) =>
    typeof part === 'object' && 'text' in part ? part.text : part,
  );
  const at = texts.indexOf('time');
  const [before = '', after = ''] = [texts.slice(0, at).join(''), texts.slice(at + 1, -1).join('')];
  const isPlain = at >= 0 && at <= 1 && texts.length <= at + 3 && texts.at(-1) === 'body';
  const place = placeOf(scheme);
  if (!isPlain || place === null || time.unit !== 's') return null;
  return { ...common, time: { place, before, after, toleranceS: time.toleranceMs / 1000 } };
}

function placeOf({ form, time }: SignatureScheme): HandlerTime['place'] | null {
  if (!time) return null;
  if ('prefix' in form) return 'header' in time.place ? { header: time.place.header } : null;
  if (!('field' in form) || form.separator !== ',' || 'header' in time.place) return null;
  return { timeField: time.place.field, signatureField: form.field };
}
