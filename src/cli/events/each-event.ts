import type { Remote } from '../client/remote-command.ts';
import { hasCode } from '../command-error.ts';
import { printable } from '../terminal/output.ts';

/** Skips missing events, unless there is only one event. Returns the number of missing events. */
export async function eachEvent(
  { out }: Remote,
  events: readonly string[],
  run: (event: string) => Promise<void>,
): Promise<number> {
  const wanted = new Set(events);
  let missing = 0;
  for (const event of wanted) {
    try {
      await run(event);
    } catch (error) {
      if (!hasCode(error, 'event_not_found') || wanted.size === 1) throw error;
      missing++;
      out.note(`${event}: ${printable(error.message)}`);
    }
  }
  return missing;
}
