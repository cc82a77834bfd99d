import { shellWord } from '../terminal/shell-word.ts';

export interface DoctorFinding {
  check: string;
  /** `fail`: something doesn't work, or data is in danger. `warn`: this may happen later. */
  status: 'ok' | 'warn' | 'fail';
  message: string;
  next?: string;
}

export const ok = (check: string, message: string): DoctorFinding => ({
  check,
  status: 'ok',
  message,
});

export const warn = (check: string, message: string, next?: string): DoctorFinding => ({
  check,
  status: 'warn',
  message,
  ...(next !== undefined && { next }),
});

export const fail = (check: string, message: string, next?: string): DoctorFinding => ({
  check,
  status: 'fail',
  message,
  ...(next !== undefined && { next }),
});

export function commandOn(dataDir: string): (words: string) => string {
  return (words) => `hookrelay ${words} --data-dir ${shellWord(dataDir)}`;
}
