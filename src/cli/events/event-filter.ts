import { Option } from 'commander';
import { EVENT_STATUS, type EventStatus } from '../../core/model.ts';
import { VERIFICATION_STATE, type VerificationState } from '../../core/proof/verification.ts';
import { httpMethod, instant, someText } from '../arguments.ts';

/** A filter of events, with the API's names. Times are ISO 8601. */
export interface EventFilterFlags {
  status?: EventStatus;
  method?: string;
  from?: string;
  to?: string;
  q?: string;
  /** Whether `q` is found whatever its case. */
  ignoreCase?: boolean;
  type?: string;
  /** A rule, in text or as JSON. */
  where?: string;
  verification?: VerificationState;
  duplicates?: 'only' | 'hide';
}

/** The filters that are set, with the API's names. */
export interface EventFilterQuery extends Omit<EventFilterFlags, 'ignoreCase'> {
  ignore_case?: boolean;
}

/** The filters of lists, searches and replays. */
export function eventFilterOptions(): Option[] {
  const time = 'a time, or 10m for ten minutes ago';
  return [
    new Option('--status <status>', 'only events with this status').choices(EVENT_STATUS.names),
    new Option('--method <method>', 'only requests with this method').argParser(httpMethod),
    new Option('--from <time>', `only events received at or after this (${time})`).argParser(
      instant,
    ),
    new Option('--to <time>', `only events received before this (${time})`).argParser(instant),
    new Option('--q <text>', 'only events whose body contains this text').argParser(someText),
    new Option('--ignore-case', 'find the text of --q whatever its case'),
    ...ruleFilterOptions(),
    new Option('--verification <state>', 'only events whose sender is so').choices(
      VERIFICATION_STATE.names,
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
export function eventFilter(flags: EventFilterFlags): EventFilterQuery {
  const { status, method, from, to, q, ignoreCase, type, where, verification, duplicates } = flags;
  return {
    ...(status !== undefined && { status }),
    ...(method !== undefined && { method }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(q !== undefined && { q }),
    ...(q !== undefined && ignoreCase && { ignore_case: true }),
    ...(type !== undefined && { type }),
    ...(where !== undefined && { where }),
    ...(verification !== undefined && { verification }),
    ...(duplicates !== undefined && { duplicates }),
  };
}
