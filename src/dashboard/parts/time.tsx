import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { formatDuration } from '../../core/text/duration.ts';
import { now, zone } from '../model/clock.ts';
import { briefTime, exactTime, saidTime } from '../text/time-text.ts';

interface TimeProps {
  /** ISO 8601. */
  at: string;
  exact?: boolean;
  /** `said` fits into a sentence. `span` is the time since then. */
  form?: 'short' | 'said' | 'span';
  class?: string;
}

/** Shows a short time. Hovering shows the exact time. */
export function Time({ at, exact = false, form = 'short', class: name }: TimeProps) {
  const ms = Date.parse(at);
  const full = exactTime(ms, zone.value);
  // All texts of a list are computed each second, but only those that changed are drawn again.
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
