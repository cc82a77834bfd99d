import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { formatDuration } from '../../core/text/duration.ts';
import { now, zone } from '../model/clock.ts';
import { briefTime, exactTime, saidTime } from '../text/time-text.ts';

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** Shows the exact instant in place of the short one. */
  exact?: boolean;
  /** `said`: as a sentence has it. `span`: the time that has gone since. */
  form?: 'short' | 'said' | 'span';
  class?: string;
}

/** A time, short, with the exact one on hover. */
export function Time({ at, exact = false, form = 'short', class: name }: TimeProps) {
  const ms = Date.parse(at);
  const full = exactTime(ms, zone.value);
  // Each second a list renews its words, and draws only those that changed.
  const words = useMemo(() => computed(() => textOf(ms, form)), [ms, form]);
  return (
    <time class={name} dateTime={at} title={exact ? undefined : full}>
      {exact ? full : words}
    </time>
  );
}

function textOf(ms: number, form: NonNullable<TimeProps['form']>): string {
  if (form === 'span')
    return formatDuration(Math.max(1, Math.floor((now.value - ms) / 1000)) * 1000);
  return (form === 'said' ? saidTime : briefTime)(ms, now.value, zone.value);
}
