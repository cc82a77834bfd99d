import type { SignatureScheme } from './signature-scheme.ts';
import { headersOf, onlyHeaderOf, type SignedRequest } from './signed-request.ts';

/** The largest number of signatures to check. Providers send one for each secret in use. */
const MOST_SIGNATURES = 20;
/**
 * The largest number of parts to read from a header. Otherwise a header full of commas would take
 * much time.
 */
const MOST_PARTS = 64;

/** The signatures that a request carries, still encoded, and the time of signing. */
export interface SentSignature {
  signatures: string[];
  /** The time of signing, as sent. Null if the time is missing, unsigned or repeated. */
  time: string | null;
}

/** Returns null if the request lacks the signature's header. */
export function sentSignature(
  scheme: SignatureScheme,
  request: SignedRequest,
): SentSignature | null {
  const values = headersOf(request, scheme.header);
  if (values.length === 0) return null;
  const { form, time } = scheme;
  const fields =
    'separator' in form ? values.flatMap((value) => fieldsOf(value, form.separator)) : [];
  const sentTime =
    time === null
      ? null
      : 'header' in time.place
        ? onlyHeaderOf(request, time.place.header)
        : values.length === 1
          ? fieldOf(fields, time.place.field)
          : null;
  return {
    signatures: signaturesOf(form, values, fields).slice(0, MOST_SIGNATURES),
    time: sentTime,
  };
}

function signaturesOf(
  form: SignatureScheme['form'],
  values: readonly string[],
  fields: readonly [string, string][],
): string[] {
  if ('field' in form)
    return fields.filter(([name]) => name === form.field).map(([, value]) => value);
  const [mark, separator] = 'tag' in form ? [`${form.tag},`, ' '] : [form.prefix, ','];
  const isWhole = 'prefix' in form && form.prefix.includes(separator);
  const signatures: string[] = [];
  for (const value of values) {
    for (const part of isWhole ? [value] : value.split(separator, MOST_PARTS)) {
      const one = part.trim();
      if (one.startsWith(mark)) signatures.push(one.slice(mark.length));
    }
  }
  return signatures;
}

function fieldsOf(value: string, separator: string): [string, string][] {
  return value.split(separator, MOST_PARTS).map((part) => {
    const at = part.indexOf('=');
    return at === -1 ? [part.trim(), ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
}

function fieldOf(fields: readonly [string, string][], wanted: string): string | null {
  const [found, ...others] = fields.filter(([name]) => name === wanted);
  return found && others.length === 0 ? found[1] : null;
}
