import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { DestinationStatsAnswer } from '../../../api/endpoints/destination-stats-answer.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/text/duration.ts';
import { formatCount } from '../../../core/text/words.ts';

/** The current hour alone gives the pace after this many ms. */
const ENOUGH_MS = 10 * MINUTE_MS;
/** The longest estimate that is shown, ms. */
const LONGEST_MS = 30 * DAY_MS;

type Hours = DestinationStatsAnswer['hours'];

/**
 * Estimates when all waiting deliveries will be sent: `through in about 30 min, at the present pace:
 * 20 a minute`. The pace is what was delivered lately: a rate is only a limit. Returns null where no
 * pace is known: nothing waits, the destination is paused or unhealthy, nothing was delivered, or
 * attempts failed. What waits for a retry doesn't follow a pace.
 *
 * @param hours null until they are known
 */
export function throughText(
  { state, health, waiting }: DestinationAnswer,
  hours: Hours | null,
  now: number,
): string | null {
  if (waiting.count === 0 || state !== 'active' || health.state !== 'healthy') return null;
  const perMinute = hours && recentPace(hours, now);
  if (perMinute === null) return null;
  const ms = (waiting.count / perMinute) * MINUTE_MS;
  if (ms > LONGEST_MS) return null;
  const span = `${waiting.at_least ? 'more than' : 'about'} ${spanText(ms)}`;
  const pace =
    perMinute >= 1 ? `${formatCount(Math.round(perMinute))} a minute` : 'less than one a minute';
  return `through in ${span}, at the present pace: ${pace}`;
}

/**
 * Returns the deliveries per minute of this hour. In the hour's first minutes, includes the previous
 * hour. Returns null if nothing was delivered, or if an attempt failed.
 */
function recentPace(hours: Hours, now: number): number | null {
  const last = hours.at(-1);
  if (!last) return null;
  const since = now - Date.parse(last.at);
  if (since < 0 || since > HOUR_MS) return null;
  const before = since < ENOUGH_MS ? hours.at(-2) : undefined;
  const succeeded = last.succeeded + (before?.succeeded ?? 0);
  const failed = last.failed + (before?.failed ?? 0);
  if (succeeded === 0 || failed > 0) return null;
  return succeeded / Math.max(1, (since + (before ? HOUR_MS : 0)) / MINUTE_MS);
}

function spanText(ms: number): string {
  if (ms < MINUTE_MS) return 'a minute';
  if (ms < 2 * HOUR_MS) return `${Math.ceil(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.ceil(ms / HOUR_MS)} h`;
  return `${Math.ceil(ms / DAY_MS)} days`;
}
