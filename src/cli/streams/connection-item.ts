import { formatDuration } from '../../core/text/duration.ts';
import { printable } from '../terminal/output.ts';
import type { StreamItem } from './stream-item.ts';

/** Returns null for other items. */
export function connectionNote(item: StreamItem): string | null {
  switch (item.kind) {
    case 'disconnected':
      return `connection lost (${printable(item.reason)}); trying again`;
    case 'reconnected': {
      const caughtUp =
        item.missedEvents > 0 ? `caught up ${item.missedEvents} missed` : 'nothing missed';
      return `connected again after ${formatDuration(item.outageMs)}; ${caughtUp}`;
    }
    case 'reset':
      return 'connected again, but to another database: events in between are unknown';
    default:
      return null;
  }
}

/** Returns null for other items. */
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
