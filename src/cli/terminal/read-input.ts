import { readFileSync } from 'node:fs';
import { failure } from '../command-error.ts';

/** Throws `invalid_input` if the file can't be read. */
export function readInputFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw failure(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** @param check gets the size after each chunk, bytes. It throws if the size is too large */
export async function readStdin(check?: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    check?.(bytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
