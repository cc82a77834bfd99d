import { durationText } from '../events/event-line.ts';
import { printable } from '../terminal/output.ts';
import type { StreamItem } from './stream-item.ts';

/** What a person is told of the connection, or null when there is nothing to tell. */
export function connectionNote(item: StreamItem): string | null {
  switch (item.kind) {
    case 'disconnected':
      return `connection lost (${printable(item.reason)}); trying again`;
    case 'reconnected': {
      const caughtUp =
        item.missedEvents > 0 ? `caught up ${item.missedEvents} missed` : 'nothing missed';
      return `connected again after ${durationText(item.outageMs)}; ${caughtUp}`;
    }
    case 'reset':
      return 'connected again, but to another database: what came meanwhile is unknown';
    default:
      return null;
  }
}

/** The same as an object of a `--json` stream. */
export function connectionRecord(item: StreamItem): object | null {
  switch (item.kind) {
    case 'reconnected':
      return {
        type: 'reconnected',
        missed: item.missedEvents,
        missed_attempts: item.missedAttempts,
        outage_ms: item.outageMs,
      };
    case 'reset':
      return { type: 'reset' };
    default:
      return null;
  }
}
