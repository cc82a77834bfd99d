import { isUtf8 } from 'node:buffer';
import type { AttemptRequest } from '../../../delivery/transports/webhook/attempt.ts';
import { shellWord } from '../../terminal/shell-word.ts';

/** The longest body in the command line, bytes. A longer body comes through a pipe. */
const TYPED_BODY_MAX_BYTES = 8 * 1024;
/**
 * Characters that a terminal may obey or a shell may drop, even in quotes. `\n` and `\t` are safe.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is for
const UNTYPABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;
/** curl would expand brackets in a path, and remove its dot segments. */
const GLOBS = /[[\]{}]/;
const DOTS = /\/\.\.?(\/|$|%|\?)|%2e/i;

/**
 * Returns a command line for POSIX shells, without control characters. If the body is unsafe or
 * long, `hookrelay events raw` pipes it to curl.
 */
export function curlCommand(request: AttemptRequest, eventId: string): string {
  const { origin, path, method, headers, body } = request;
  const words = ['curl'];
  if (method === 'HEAD' && body.length === 0) words.push('--head');
  else if (method !== (body.length > 0 ? 'POST' : 'GET')) words.push('-X', shellWord(method));
  if (GLOBS.test(path)) words.push('--globoff');
  if (DOTS.test(path)) words.push('--path-as-is');
  words.push(shellWord(origin + path));
  let hasType = false;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    const value = headers[i + 1] as string;
    if (name.toLowerCase() === 'content-type') hasType = true;
    if (UNTYPABLE.test(value)) continue;
    words.push('-H', shellWord(value === '' ? `${name};` : `${name}: ${value}`));
  }
  if (body.length === 0) return words.join(' ');
  // Without this header, curl adds the content type of a form.
  if (!hasType) words.push('-H', shellWord('content-type:'));
  const text = body.length <= TYPED_BODY_MAX_BYTES && isUtf8(body) ? textOf(body) : null;
  const isTypable = text !== null && !UNTYPABLE.test(text);
  // Don't use `--data`, because it reads a body with a leading @ as a file name.
  if (isTypable) words.push('--data-raw', shellWord(text));
  else words.push('--data-binary', '@-');
  const command = words.join(' ');
  return isTypable ? command : `hookrelay events raw ${eventId} | ${command}`;
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
