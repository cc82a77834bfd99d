import { ISSUE_EVENTS } from './issue.ts';

/** An issue's events with a newer one: newest first, each once, at most `ISSUE_EVENTS`. */
export function withEvent(eventIds: readonly string[], id: string): readonly string[] {
  return [id, ...eventIds.filter((one) => one !== id)].slice(0, ISSUE_EVENTS);
}
