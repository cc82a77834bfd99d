import { Option } from '@commander-js/extra-typings';
import type { CallBody } from '../../api/client/typed-call.ts';
import { MAX_EDIT_BYTES } from '../../core/limits.ts';
import { formatSize } from '../../core/text/size.ts';
import { headerIn, httpMethod, repeated, someText } from '../arguments.ts';
import { failure, usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';
import { readInputFile, readStdin } from '../terminal/read-input.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** Room in the JSON of an edit for everything except the body, bytes. */
const HEAD_BYTES = 64 * 1024;
/** The largest body of a copy, bytes. Base64 makes it longer by a third. */
const MAX_BODY_BYTES = ((MAX_EDIT_BYTES - HEAD_BYTES) / 4) * 3;

export type EventChanges = CallBody<'POST /api/endpoints/{id}/events/{eventId}/edit'>;

export const addEventEditFlags = commandPart((command) =>
  command
    .option('--method <method>', 'another method', httpMethod)
    .option('--path <path>', 'another path below the capture URL, such as /push')
    .option('--query <query>', 'another query, such as a=1&b=2')
    .option(
      '--header <header>',
      "set 'name: value' (repeatable; several of one name are sent in order); 'name:' removes it",
      repeated(),
    )
    .addOption(new Option('--body <text>', 'another body').conflicts('bodyFile'))
    .option('--body-file <file>', 'another body, byte for byte; - reads stdin')
    .option(
      '--to <destination>',
      'only to this destination, by name, URL or id (repeatable), whatever its filter says',
      repeated(someText),
    ),
);

export type EventEditFlags = FlagsOf<typeof addEventEditFlags>;

/** Throws `config_invalid` for a malformed header, and `invalid_input` for an unusable body. */
export async function chosenChanges(id: string, flags: EventEditFlags): Promise<EventChanges> {
  const { method, path, query, header, body, bodyFile } = flags;
  const headers = headersOf(header ?? []);
  if (body !== undefined) requireEditable(id, Buffer.byteLength(body));
  const bytes = bodyFile === undefined ? undefined : await bytesOf(id, bodyFile);
  return {
    ...defined({ method, path, query: query?.replace(/^\?/, ''), body }),
    ...(headers && { headers }),
    ...(bytes && { body_base64: bytes.toString('base64') }),
  };
}

/**
 * Throws if a body is too large for the API.
 *
 * @param file the file of the body; undefined if the body isn't in a file
 */
export function requireEditable(id: string, bodyBytes: number, file?: string): void {
  if (bodyBytes <= MAX_BODY_BYTES) return;
  const save = file === undefined ? `hookrelay events raw ${id} >FILE, change it, ` : '';
  const source = shellWord(file ?? 'FILE');
  throw failure(
    `the body is too large for a copy: ${formatSize(bodyBytes)}, at most ${formatSize(MAX_BODY_BYTES)}. The other parts can be changed`,
    `${save}curl -H 'content-type: TYPE' --data-binary @${source} CAPTURE_URL; ` +
      `as it came: hookrelay trigger --from-event ${id} --to ENDPOINT`,
  );
}

function headersOf(texts: readonly string[]): Record<string, unknown> | null {
  const headers = new Map<string, { name: string; values: string[] }>();
  for (const text of texts) {
    const [name, value] = headerIn(text, '--header');
    const key = name.toLowerCase();
    const known = headers.get(key) ?? { name, values: [] };
    known.values.push(value);
    headers.set(key, known);
  }
  if (headers.size === 0) return null;
  const entries = [...headers.values()].map(({ name, values }) => {
    if (!values.includes('')) return [name, values.length === 1 ? values[0] : values] as const;
    if (values.length === 1) return [name, null] as const;
    throw usageError(`--header sets and removes ${name}`);
  });
  return Object.fromEntries(entries);
}

async function bytesOf(id: string, file: string): Promise<Buffer> {
  if (file === '-') return readStdin((bytes) => requireEditable(id, bytes));
  const body = readInputFile(file);
  requireEditable(id, body.length, file);
  return body;
}
