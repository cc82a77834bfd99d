import type { LivePosition } from '../../store/contract/live.ts';

/** The event id of a frame: the database's history and a position in it. */
export function cursorOf(history: string, { eventSeq, attemptSeq }: LivePosition): string {
  return `${history}.${eventSeq}.${attemptSeq}`;
}

/** Reads a cursor back. Null when the text is no cursor. */
export function parseCursor(cursor: string): { history: string; position: LivePosition } | null {
  const found = /^([^.]+)\.(\d+)\.(\d+)$/.exec(cursor);
  if (!found) return null;
  const [, history = '', eventSeq, attemptSeq] = found;
  const position = { eventSeq: Number(eventSeq), attemptSeq: Number(attemptSeq) };
  return Object.values(position).every(Number.isSafeInteger) ? { history, position } : null;
}
