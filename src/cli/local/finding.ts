import { shellWord } from '../terminal/shell-word.ts';

/** What `doctor` found of one thing. */
export interface Finding {
  check: string;
  /** `fail`: something doesn't work, or data is in danger. `warn`: it may come to that. */
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** The next command to run, or thing to do. */
  next?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });

export const warn = (check: string, message: string, next?: string): Finding => ({
  check,
  status: 'warn',
  message,
  ...(next !== undefined && { next }),
});

export const fail = (check: string, message: string, next?: string): Finding => ({
  check,
  status: 'fail',
  message,
  ...(next !== undefined && { next }),
});

/** A command of ours as a person can paste it into a shell. */
export function commandOn(dataDir: string): (words: string) => string {
  return (words) => `hookrelay ${words} --data-dir ${shellWord(dataDir)}`;
}
