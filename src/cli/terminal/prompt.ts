import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { failure, usageError } from '../command-error.ts';
import { readStdin } from './read-input.ts';

/** Exit code after Ctrl-C: 128 + SIGINT, as in shells. */
const EXIT_INTERRUPTED = 130;
/** The longest secret that is read from a pipe, bytes. The API's limits are far lower. */
const MAX_PIPED_BYTES = 64 * 1024;

/** Ignores stdout, which may be a pipe. */
export function canPrompt(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

export function requirePrompt(hint: string): void {
  if (!canPrompt()) throw usageError('this command asks a question, and needs a terminal', hint);
}

/**
 * Asks for one line. Needs `canPrompt()`. After Ctrl-C, restores the terminal and exits with 130.
 * Throws after Ctrl-D.
 *
 * @param question must have no control characters
 * @param hidden whether to turn the echo off
 */
export function ask(question: string, { hidden = false } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    // In raw mode, readline writes an echo to its output. This output drops the echo.
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

export async function confirm(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer.trim());
}

/** Drops one line break at the end. On a terminal, asks without an echo. */
export async function readSecret(question: string): Promise<string> {
  if (process.stdin.isTTY) return ask(question, { hidden: true });
  const piped = await readStdin((bytes) => {
    if (bytes > MAX_PIPED_BYTES) throw failure('stdin is too long for a secret');
  });
  return piped.toString('utf8').replace(/\r?\n$/, '');
}
