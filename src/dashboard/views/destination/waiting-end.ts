import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { DestinationStatsAnswer } from '../../../api/endpoints/destination-stats-answer.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../core/text/duration.ts';
import { formatCount } from '../../../core/text/words.ts';

const PERIOD_MS = { second: 1000, minute: MINUTE_MS, hour: HOUR_MS } as const;
/** The current hour alone gives the pace after this many ms. */
const ENOUGH_MS = 10 * MINUTE_MS;
/** The longest estimate that is shown, ms. */
const LONGEST_MS = 30 * DAY_MS;

interface DrainPace {
  /** Deliveries per minute. */
  perMinute: number;
  /** The pace in words: `at its limit of 10 each second`. */
  text: string;
}

type Hours = DestinationStatsAnswer['hours'];

/**
 * Estimates when all waiting deliveries will be sent: `through in about 20 min, at its limit of 10
 * each second`. Returns null in three cases: nothing waits, the destination is paused or unhealthy,
 * or the pace is unknown or too slow.
 */
export function throughText(
  { state, health, waiting, rate }: DestinationAnswer,
  hours: Hours,
  now: number,
): string | null {
  if (waiting.count === 0 || state !== 'active' || health.state !== 'healthy') return null;
  const recent = recentPace(hours, now);
  // Assumes that the receiver keeps up with its limit.
  const pace = rate ? limitPace(rate) : recent;
  if (!pace) return null;
  const ms = (waiting.count / pace.perMinute) * MINUTE_MS;
  if (ms > LONGEST_MS) return null;
  return `through in ${waiting.at_least ? 'more than' : 'about'} ${spanText(ms)}, ${pace.text}`;
}

function limitPace({ limit, per }: NonNullable<DestinationAnswer['rate']>): DrainPace {
  const perMinute = (limit * MINUTE_MS) / PERIOD_MS[per];
  return { perMinute, text: `at its limit of ${formatCount(limit)} each ${per}` };
}

/** Returns the pace of this hour. In the hour's first minutes, includes the previous hour. */
function recentPace(hours: Hours, now: number): DrainPace | null {
  const last = hours.at(-1);
  if (!last) return null;
  const since = now - Date.parse(last.at);
  if (since < 0 || since > HOUR_MS) return null;
  const before = since < ENOUGH_MS ? hours.at(-2) : undefined;
  const succeeded = last.succeeded + (before?.succeeded ?? 0);
  const minutes = Math.max(1, (since + (before ? HOUR_MS : 0)) / MINUTE_MS);
  if (succeeded === 0) return null;
  const perMinute = succeeded / minutes;
  const shown =
    perMinute >= 1 ? `${formatCount(Math.round(perMinute))} a minute` : 'less than one a minute';
  return { perMinute, text: `at the present pace: ${shown}` };
}

function spanText(ms: number): string {
  if (ms < MINUTE_MS) return 'a minute';
  if (ms < 2 * HOUR_MS) return `${Math.ceil(ms / MINUTE_MS)} min`;
  if (ms < 2 * DAY_MS) return `${Math.ceil(ms / HOUR_MS)} h`;
  return `${Math.ceil(ms / DAY_MS)} days`;
}
