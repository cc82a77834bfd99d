import { indexJson } from '../../core/text/json-index.ts';
import { payloadText } from '../../core/text/payload-text.ts';
import { binaryText, bytesOf } from './binary.ts';

const FORM = 'application/x-www-form-urlencoded';

export interface FormField {
  name: string;
  /** The field's text, or the name of its file. */
  value: string;
  note: string | null;
}

const essenceOf = (contentType: string | null) =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase();

/**
 * Returns the JSON object or array in a form whose only field is `payload`, or null for any other
 * body. GitHub and Slack send such forms. Rules also use this JSON as the body.
 */
export function payloadOfForm(contentType: string | null, text: string | null): string | null {
  if (text === null || essenceOf(contentType) !== FORM) return null;
  const payload = payloadText(new URLSearchParams(text));
  return payload !== null && indexJson(payload) ? payload : null;
}

/** Returns the fields of a form, or null if the body isn't a form. */
export function formFields(contentType: string | null, bytes: Uint8Array): FormField[] | null {
  const type = essenceOf(contentType);
  if (type === FORM) {
    const pairs = new URLSearchParams(new TextDecoder().decode(bytes));
    return [...pairs].map(([name, value]) => ({ name, value, note: null }));
  }
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType ?? '');
  if (type !== 'multipart/form-data' || !boundary) return null;
  return parts(binaryText(bytes), (boundary[1] ?? boundary[2]) as string);
}

/** Returns the parts of a multipart form (RFC 7578). Tolerates the deviations of real senders. */
function parts(text: string, boundary: string): FormField[] {
  const fields: FormField[] = [];
  for (const part of `\r\n${text}`.split(`\r\n--${boundary}`).slice(1)) {
    if (part.startsWith('--')) break;
    const end = part.indexOf('\r\n\r\n');
    if (end === -1) continue;
    const head = part.slice(0, end);
    const body = part.slice(end + 4);
    const file = /;\s*filename="((?:[^"\\]|\\.)*)"/i.exec(head)?.[1];
    const type = /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim();
    const utf8 = (value: string) => new TextDecoder().decode(bytesOf(value));
    fields.push({
      name: utf8(/;\s*name="((?:[^"\\]|\\.)*)"/i.exec(head)?.[1] ?? ''),
      value: file === undefined ? utf8(body) : utf8(file),
      note: file === undefined ? null : `file, ${body.length} bytes${type ? `, ${type}` : ''}`,
    });
  }
  return fields;
}
