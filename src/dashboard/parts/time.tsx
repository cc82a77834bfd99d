import { now, zone } from '../model/clock.ts';
import { briefTime, exactTime } from '../text/time-text.ts';

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** Shows the exact instant in place of the short one. */
  exact?: boolean;
  class?: string;
}

/** A time, short, with the exact one on hover. */
export function Time({ at, exact = false, class: name }: TimeProps) {
  const ms = Date.parse(at);
  const full = exactTime(ms, zone.value);
  return (
    <time class={name} dateTime={at} title={exact ? undefined : full}>
      {exact ? full : briefTime(ms, now.value, zone.value)}
    </time>
  );
}
