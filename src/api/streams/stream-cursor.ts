import type { LivePosition } from '../../store/contract/live.ts';

export function streamCursor(history: string, { eventSeq, attemptSeq }: LivePosition): string {
  return `${history}.${eventSeq}.${attemptSeq}`;
}

/** Reads a cursor that `streamCursor` wrote. Returns null for any other text. */
export function parseStreamCursor(
  cursor: string,
): { history: string; position: LivePosition } | null {
  const found = /^([^.]+)\.(\d+)\.(\d+)$/.exec(cursor);
  if (!found) return null;
  const [, history = '', eventSeq, attemptSeq] = found;
  const position = { eventSeq: Number(eventSeq), attemptSeq: Number(attemptSeq) };
  return Object.values(position).every(Number.isSafeInteger) ? { history, position } : null;
}
