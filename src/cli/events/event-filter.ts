import { Option } from 'commander';
import { EVENT_STATUSES } from '../../core/model.ts';
import { httpMethod, instant, someText } from '../arguments.ts';

/** Which events are meant; times are ISO 8601. The names are the API's. */
export interface EventFilterFlags {
  status?: string;
  method?: string;
  from?: string;
  to?: string;
  q?: string;
}

/** The filters that lists, searches and replays have in common. */
export function eventFilterOptions(): Option[] {
  const time = 'a time, or 10m for ten minutes ago';
  return [
    new Option('--status <status>', 'only events of this status').choices(EVENT_STATUSES),
    new Option('--method <method>', 'only requests of this method').argParser(httpMethod),
    new Option('--from <time>', `received at or after (${time})`).argParser(instant),
    new Option('--to <time>', `received before (${time})`).argParser(instant),
    new Option('--q <text>', 'only bodies that hold this text, literally').argParser(someText),
  ];
}

/** What was given of them, and nothing else. */
export function eventFilter({ status, method, from, to, q }: EventFilterFlags): EventFilterFlags {
  return {
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(q !== undefined && { q }),
  };
}
