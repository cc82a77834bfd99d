import type { LivePosition } from '../../store/contract/live.ts';

/** The id of a frame: the database's history and a position in it. */
export function streamCursor(history: string, { eventSeq, attemptSeq }: LivePosition): string {
  return `${history}.${eventSeq}.${attemptSeq}`;
}

/** Parses a cursor. Null for any other text. */
export function parseStreamCursor(
  cursor: string,
): { history: string; position: LivePosition } | null {
  const found = /^([^.]+)\.(\d+)\.(\d+)$/.exec(cursor);
  if (!found) return null;
  const [, history = '', eventSeq, attemptSeq] = found;
  const position = { eventSeq: Number(eventSeq), attemptSeq: Number(attemptSeq) };
  return Object.values(position).every(Number.isSafeInteger) ? { history, position } : null;
}
