import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { httpMethod } from '../arguments.ts';
import { failure, usageError } from '../command-error.ts';
import { headerIn } from '../destinations/header-flags.ts';

/** Largest body that is read from stdin, bytes: the most that a server can be set to capture. */
const MAX_PIPED_BYTES = 512 * 1024 * 1024;

export interface RequestFlags {
  method?: string;
  path?: string;
  query?: string;
  header?: string[];
  body?: string;
  bodyFile?: string;
}

/** What the API changes in a copy of an event. */
export interface RequestChanges {
  method?: string;
  path?: string;
  query?: string;
  /** A value, several of a name, or null to remove the header. */
  headers?: Record<string, string | string[] | null>;
  body?: string;
  body_base64?: string;
}

/** The flags that change a captured request. */
export function addRequestFlags(command: Command): Command {
  return command
    .addOption(new Option('--method <method>', 'another method').argParser(httpMethod))
    .option('--path <path>', 'another path below the capture URL, such as /push')
    .option('--query <query>', 'another query, such as a=1&b=2')
    .addOption(
      new Option(
        '--header <header>',
        "set 'name: value' (repeatable; several of one name are sent in order); 'name:' removes it",
      ).argParser((value: string, previous: string[] = []) => [...previous, value]),
    )
    .addOption(new Option('--body <text>', 'another body').conflicts('bodyFile'))
    .option('--body-file <file>', 'another body, byte for byte; - reads stdin');
}

/** Throws wrong usage for a header that can't be read, and an error for a file. */
export async function chosenChanges(flags: RequestFlags): Promise<RequestChanges> {
  const { method, path, query, header, body, bodyFile } = flags;
  const headers = headersOf(header ?? []);
  return {
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(query !== undefined && { query: query.replace(/^\?/, '') }),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(bodyFile !== undefined && { body_base64: (await bytesOf(bodyFile)).toString('base64') }),
  };
}

function headersOf(texts: readonly string[]): RequestChanges['headers'] | null {
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
  return Object.fromEntries(entries) as RequestChanges['headers'];
}

async function bytesOf(file: string): Promise<Buffer> {
  if (file === '-') return pipedBytes();
  try {
    return readFileSync(file);
  } catch (error) {
    throw failure(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

async function pipedBytes(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_PIPED_BYTES) throw failure('stdin is too long for a body');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
