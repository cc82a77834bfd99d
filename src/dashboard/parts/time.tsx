import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { formatDuration } from '../../core/text/duration.ts';
import { now, zone } from '../model/clock.ts';
import { briefTime, exactTime, saidTime } from '../text/time-text.ts';

interface TimeProps {
  /** ISO 8601. */
  at: string;
  /** Whether to show the exact time. */
  exact?: boolean;
  /** `said`: as in a sentence. `span`: how long ago it was. */
  form?: 'short' | 'said' | 'span';
  class?: string;
}

/** A short time. Hovering shows the exact time. */
export function Time({ at, exact = false, form = 'short', class: name }: TimeProps) {
  const ms = Date.parse(at);
  const full = exactTime(ms, zone.value);
  // The texts of a list tick each second, but only those that changed are drawn again.
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
