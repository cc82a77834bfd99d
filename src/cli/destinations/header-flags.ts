import { HEADER_NAME, headerIn, repeated } from '../arguments.ts';
import { failure, usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { readSecret } from '../terminal/prompt.ts';
import { readInputFile } from '../terminal/read-input.ts';
import type { addSecretFlags } from './secret-flags.ts';

/** The largest file of headers, bytes. The API's limit is far lower. */
const MAX_FILE_BYTES = 64 * 1024;

/** Adds the flags for headers of every attempt. Header values are secret and never printed. */
export const addHeaderFlags = commandPart((command) =>
  command
    .option(
      '--header <header>',
      "set 'name: value' on each attempt (repeatable; other users of this machine can see it)",
      repeated(),
    )
    .option(
      '--header-file <file>',
      "set the headers in a file, a line 'name: value' each; - reads stdin",
    ),
);

export const addHeaderChangeFlags = commandPart((command) =>
  addHeaderFlags(command)
    .option('--remove-header <name>', 'remove a header (repeatable)', repeated())
    .option('--no-headers', 'remove all headers'),
);

type HeaderFlags = Partial<FlagsOf<typeof addHeaderChangeFlags>> &
  Pick<FlagsOf<typeof addSecretFlags>, 'secretStdin'>;

/**
 * Null removes all headers, a null member removes one, and undefined changes nothing. Errors never
 * contain a value.
 */
export async function chosenHeaders(
  flags: HeaderFlags,
): Promise<Record<string, string | null> | null | undefined> {
  const { header = [], headerFile, removeHeader = [], headers, secretStdin } = flags;
  if (headers === false) {
    if (header.length + removeHeader.length === 0 && headerFile === undefined) return null;
    throw usageError('--no-headers excludes the other header flags');
  }
  if (headerFile === '-' && secretStdin) {
    throw usageError('--header-file - and --secret-stdin both read stdin', 'name a file');
  }
  const chosen = new Map<string, [name: string, value: string | null]>();
  const add = (name: string, value: string | null) => {
    const key = name.toLowerCase();
    if (chosen.has(key)) throw usageError(`the header ${name} is given twice`);
    chosen.set(key, [name, value]);
  };
  for (const text of header) add(...headerIn(text, '--header'));
  if (headerFile !== undefined) {
    const lines = (await textOf(headerFile)).split(/\r?\n/);
    for (const [i, line] of lines.entries()) {
      if (line.trim() !== '') add(...headerIn(line, `--header-file, line ${i + 1}`));
    }
  }
  for (const name of removeHeader) {
    if (!HEADER_NAME.test(name))
      throw usageError('--remove-header takes a name, such as authorization');
    add(name, null);
  }
  if (headerFile !== undefined && chosen.size === 0) throw failure('--header-file has no header');
  return chosen.size === 0 ? undefined : Object.fromEntries(chosen.values());
}

async function textOf(file: string): Promise<string> {
  if (file === '-') return readSecret("Header, 'name: value': ");
  const bytes = readInputFile(file);
  if (bytes.length > MAX_FILE_BYTES) throw failure(`${file} is too long for headers`);
  return bytes.toString('utf8');
}
