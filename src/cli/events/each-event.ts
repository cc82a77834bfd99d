import type { Remote } from '../client/remote-command.ts';
import { hasCode } from '../command-error.ts';
import { printable } from '../terminal/output.ts';

/**
 * Calls `run` for each event, one after the other, and once for an event that is named twice. If
 * there are several events and one is missing, goes on with the others. Returns how many are
 * missing.
 */
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
