import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { failure } from '../command-error.ts';

/** As the shell reports a command that Ctrl-C ended: 128 and the number of SIGINT. */
const EXIT_INTERRUPTED = 130;
/** Longest secret taken from a pipe, bytes; the API takes far shorter ones. */
const MAX_PIPED_BYTES = 64 * 1024;

/**
 * Whether somebody is there to be asked: what is typed comes from a terminal, and
 * the question (on stderr, stdout is for data) goes to one.
 */
export function canPrompt(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/**
 * One line, typed. Ctrl-C ends the process with 130, the terminal as it was;
 * Ctrl-D throws. Only where `canPrompt()`.
 *
 * @param question inert text
 * @param hidden shows nothing of what is typed
 */
export function ask(question: string, { hidden = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    // readline echoes by itself, in raw mode: what it can't write isn't seen.
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({
      input: process.stdin,
      output: hidden ? nowhere : process.stderr,
      terminal: true,
      historySize: 0,
    });
    if (hidden) process.stderr.write(question);
    const onEnd = () => {
      process.stderr.write('\n');
      reject(failure('nothing was entered'));
    };
    lines.once('close', onEnd);
    lines.once('SIGINT', () => {
      lines.off('close', onEnd).close();
      process.stderr.write('\n');
      process.exit(EXIT_INTERRUPTED);
    });
    lines.question(hidden ? '' : question, (answer) => {
      lines.off('close', onEnd).close();
      if (hidden) process.stderr.write('\n');
      resolve(answer);
    });
  });
}

/** Yes or no; no unless it is said. */
export async function confirm(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

/**
 * A secret from stdin, one line break at its end aside: `… --password-stdin <file`.
 * At a terminal it is asked for, unseen.
 */
export async function readSecret(question: string): Promise<string> {
  if (process.stdin.isTTY) return ask(question, { hidden: true });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_PIPED_BYTES) throw failure('what stdin holds is too long for a secret');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
