import { Option } from 'commander';
import { EVENT_STATUSES } from '../../core/model.ts';
import { VERIFICATION_STATES } from '../../core/proof/verification.ts';
import { httpMethod, instant, someText } from '../arguments.ts';

/** A filter of events, with the API's names. Times are ISO 8601. */
export interface EventFilterFlags {
  status?: string;
  method?: string;
  from?: string;
  to?: string;
  q?: string;
  type?: string;
  /** A rule, in text or as JSON. */
  where?: string;
  verification?: string;
  duplicates?: string;
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
    ...ruleFilterOptions(),
    new Option('--verification <state>', 'only events whose sender is so').choices(
      VERIFICATION_STATES,
    ),
    new Option(
      '--duplicates <which>',
      'only events that repeat an earlier one, or hide them',
    ).choices(['only', 'hide']),
  ];
}

/** The filters that live streams have too. */
export function ruleFilterOptions(): Option[] {
  return [
    new Option(
      '--where <rule>',
      "only events that fit this rule, such as 'body.amount>=1000'",
    ).argParser(someText),
    new Option('--type <type>', 'only events of this type, such as invoice.paid').argParser(
      someText,
    ),
  ];
}

/** The filters that are set. */
export function eventFilter(flags: EventFilterFlags): EventFilterFlags {
  const { status, method, from, to, q, type, where, verification, duplicates } = flags;
  return {
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(q !== undefined && { q }),
    ...(type !== undefined && { type }),
    ...(where !== undefined && { where }),
    ...(verification !== undefined && { verification }),
    ...(duplicates !== undefined && { duplicates }),
  };
}
