import { formatSize } from '../../core/text/size.ts';
import { clean, counted, listed, opt, quoted } from '../../core/text/words.ts';
import { sentences } from '../../providers/describing/describe.ts';
import type { BodyView } from '../body-view.ts';
import type { AiEvent } from '../event-input.ts';
import { notable } from './notable.ts';

/** File types by their first bytes, in hexadecimal. */
const MAGIC: [string, string][] = [
  ['89504e47', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['47494638', 'a GIF image'],
  ['25504446', 'a PDF document'],
  ['504b0304', 'a ZIP archive'],
  ['1f8b', 'gzip-compressed data'],
  ['28b52ffd', 'Zstandard-compressed data'],
];
const MAX_NAMES = 12;

/** Describes the structure of a body. This is for events that no describer knows. */
export function describeStructure(event: AiEvent, { payload, isCut }: BodyView): string[] {
  const type = opt` (${event.contentType ? clean(event.contentType, 80) : null})`;
  switch (payload.kind) {
    case 'empty':
      return sentences('It has no body.', queryFields(event));
    case 'binary':
      return [`Its body is ${binaryKind(event.body)}${type}, not text.`];
    case 'form':
      return sentences(
        `Its body is a form with ${counted(payload.fields.length, 'field')}: ${listed(names(payload.fields.map(([name]) => name)), MAX_NAMES)}.`,
        aboutOf(notable(Object.fromEntries(payload.fields))),
      );
    case 'text':
      return [
        `Its body is ${textKind(payload.text, event.contentType)}${type} and begins: ${quoted(payload.text, 160)}.`,
      ];
    case 'json':
      return sentences(jsonShape(payload.value, isCut), aboutOf(notable(payload.value)));
    case 'ndjson':
      return sentences(
        `Its body is NDJSON, one JSON document a line: ${items(payload.values, isCut)}.`,
        aboutOf(notable(payload.values)),
      );
  }
}

function aboutOf(found: readonly string[]): string {
  return found.length > 0 ? `What stands out: ${listed(found)}.` : '';
}

/** @param isCut only the beginning of the value is known, so nothing in it has a true count */
function jsonShape(value: unknown, isCut: boolean): string {
  if (Array.isArray(value)) return `Its body is a JSON array of ${items(value, isCut)}.`;
  if (typeof value === 'object' && value !== null) {
    return `Its body is a JSON object with ${keysOf(value, isCut)}.`;
  }
  return `Its body is JSON: ${kindOf(value)}${typeof value === 'string' ? ` ${quoted(value)}` : ` ${String(value)}`}.`;
}

function items(values: readonly unknown[], isCut: boolean): string {
  const [first] = values;
  const count = isCut ? 'many items' : counted(values.length, 'item');
  if (values.length === 0) return count;
  const isObject = typeof first === 'object' && first !== null && !Array.isArray(first);
  // If there are several items, only the last one is cut.
  const isFirstCut = isCut && values.length === 1;
  return `${count}, the first ${isObject ? `an object with ${keysOf(first, isFirstCut)}` : kindOf(first)}`;
}

function keysOf(value: object, isCut: boolean): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return isCut ? 'many fields' : 'no fields';
  const shown = keys.slice(0, MAX_NAMES).map((key) => {
    const child = (value as Record<string, unknown>)[key];
    const size = Array.isArray(child)
      ? ` (array${isCut ? '' : ` of ${child.length.toLocaleString('en-US')}`})`
      : typeof child === 'object' && child !== null
        ? ' (object)'
        : '';
    return `${clean(key, 40) || '(empty name)'}${size}`;
  });
  const rest = keys.length - MAX_NAMES;
  const more = rest > 0 ? [isCut ? 'more' : `${rest} more`] : [];
  // More fields may follow the cut.
  const count = isCut ? 'the fields' : `${counted(keys.length, 'field')}:`;
  const after = isCut && rest <= 0 ? ' and perhaps more' : '';
  return `${count} ${listed([...shown, ...more], MAX_NAMES + 1)}${after}`;
}

function names(all: readonly string[]): string[] {
  return [...new Set(all.slice(0, 1000))].map((name) => clean(name, 40) || '(empty name)');
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function binaryKind(body: Buffer): string {
  const head = body.subarray(0, 4).toString('hex');
  const known = MAGIC.find(([magic]) => head.startsWith(magic));
  return `${known?.[1] ?? 'binary data'} of ${formatSize(body.length)}`;
}

function textKind(text: string, contentType: string | null): string {
  if (contentType?.toLowerCase().startsWith('multipart/')) return 'a multipart form';
  const start = text.slice(0, 200).trimStart();
  if (/^<(!doctype html|html)/i.test(start)) return 'an HTML page';
  const root = /^(?:<\?xml[^>]*>\s*)?<([A-Za-z_][\w:.-]{0,60})/.exec(start)?.[1];
  if (root) return `XML with the root element ${clean(root, 60)}`;
  if (/^[[{]/.test(start)) return 'text that begins like JSON but is not valid JSON';
  return 'text';
}

function queryFields({ query }: AiEvent): string {
  if (query === '') return '';
  const fields = [...new URLSearchParams(query.slice(0, 4096)).keys()];
  return fields.length > 0 ? `Its query has ${listed(names(fields), MAX_NAMES)}.` : '';
}
