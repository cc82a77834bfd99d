import { type Decoded, utf8Text } from '../../text/decompress.ts';
import type { EventDetail } from '../../text/event-answer.ts';
import { type FormField, formFields, payloadOfForm } from '../../text/form-fields.ts';
import { formatXml, lineText, type XmlLine } from './format-xml.ts';
import { type ImageInfo, imageOf } from './image.ts';

export type BodyOf = Pick<EventDetail, 'content_type' | 'bytes' | 'text' | 'raw_headers'> & {
  /** The endpoint whose list can be filtered by a value of the body. */
  endpoint_id?: string;
};

export interface ShownBody {
  bytes: Uint8Array<ArrayBuffer>;
  /** Null if the bytes aren't UTF-8. */
  text: string | null;
  /** The body, or the payload in its form, if this text begins like JSON. */
  json: string | null;
  isInForm: boolean;
  xml: { lines: XmlLine[]; text: string; offsets: Uint32Array } | null;
  fields: FormField[] | null;
  image: ImageInfo | null;
}

/**
 * The longest URL-encoded form whose fields are shown, bytes. A longer form would block the page.
 * Multipart forms have no such limit, because they are read fast despite their files.
 */
const LONGEST_FORM = 2 * 1024 * 1024;

/** @param decoded the decompressed body; null for a body without compression */
export function shownBody(body: BodyOf, decoded: Decoded | null): ShownBody {
  const { content_type } = body;
  const bytes = decoded?.bytes ?? body.bytes;
  const text = decoded ? utf8Text(bytes, decoded.isCut) : body.text;
  const isForm = bytes.length <= LONGEST_FORM || /^\s*multipart\//i.test(content_type ?? '');
  const payload = isForm ? payloadOfForm(content_type, text) : null;
  return {
    ...{ bytes, text },
    json: payload ?? (text !== null && beginsLikeJson(text) ? text : null),
    isInForm: payload !== null,
    xml: text === null ? null : xmlOf(text),
    fields: isForm ? formFields(content_type, bytes) : null,
    image: text === null ? imageOf(bytes) : null,
  };
}

/** Accepts a single literal or number only if nothing follows it. */
const beginsLikeJson = (text: string): boolean =>
  /^\s*(?:[[{"]|(?:true|false|null|-?\d[\d.eE+-]*)\s*$)/.test(text);

function xmlOf(text: string): ShownBody['xml'] {
  const lines = formatXml(text);
  if (!lines) return null;
  const offsets = new Uint32Array(lines.length);
  let length = 0;
  const texts = lines.map((line, i) => {
    offsets[i] = length;
    const shown = lineText(line);
    length += shown.length + 1;
    return shown;
  });
  return { lines, text: texts.join('\n'), offsets };
}
