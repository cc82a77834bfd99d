import { Option } from 'commander';
import { EVENT_STATUSES } from '../../core/model.ts';
import { httpMethod, instant, someText } from '../arguments.ts';

/** A filter of events, with the API's names. Times are ISO 8601. */
export interface EventFilterFlags {
  status?: string;
  method?: string;
  from?: string;
  to?: string;
  q?: string;
}

/** The filters of lists, searches and replays. */
export function eventFilterOptions(): Option[] {
  const time = 'a time, or 10m for ten minutes ago';
  return [
    new Option('--status <status>', 'only events with this status').choices(EVENT_STATUSES),
    new Option('--method <method>', 'only requests with this method').argParser(httpMethod),
    new Option('--from <time>', `only events received at or after this (${time})`).argParser(
      instant,
    ),
    new Option('--to <time>', `only events received before this (${time})`).argParser(instant),
    new Option('--q <text>', 'only events whose body contains this text').argParser(someText),
  ];
}

/** The filters that are set. */
export function eventFilter({ status, method, from, to, q }: EventFilterFlags): EventFilterFlags {
  return {
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(q !== undefined && { q }),
  };
}
