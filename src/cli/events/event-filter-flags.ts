import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { EVENT_STATUS } from '../../core/model.ts';
import { VERIFICATION_STATE } from '../../core/proof/verification.ts';
import { httpMethod, instant, someText } from '../arguments.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';

const TIME = 'a time, or 10m for ten minutes ago';

export const addRuleFilters = commandPart((command) =>
  command
    .option(
      '--where <rule>',
      "only events that fit this rule, such as 'body.amount>=1000'",
      someText,
    )
    .option('--type <type>', 'only events of this type, such as invoice.paid', someText),
);

const addEveryFilter = commandPart((command) =>
  addRuleFilters(
    command
      .addOption(
        new Option('--status <status>', 'only events with this status').choices(EVENT_STATUS.names),
      )
      .option('--method <method>', 'only requests with this method', httpMethod)
      .option('--from <time>', `only events received at or after this (${TIME})`, instant)
      .option('--to <time>', `only events received before this (${TIME})`, instant)
      .option('--q <text>', 'only events whose body contains this text', someText)
      .option('--ignore-case', 'ignore the case of the text of --q'),
  )
    .addOption(
      new Option('--verification <state>', 'only events with this result of verification').choices(
        VERIFICATION_STATE.names,
      ),
    )
    .addOption(
      new Option(
        '--duplicates <which>',
        'show only events that repeat an earlier one, or hide them',
      ).choices(['only', 'hide']),
    )
    .option('--waiting', 'only events with an open delivery'),
);

export type EventFilterFlags = FlagsOf<typeof addEveryFilter>;

/** Adds the filters of lists, searches and replays, except `without`. */
export function addEventFilters<
  A extends unknown[],
  F extends OptionValues,
  W extends keyof EventFilterFlags = never,
>(command: Command<A, F>, without?: W): Command<A, F & Omit<EventFilterFlags, W>> {
  for (const option of addEveryFilter(new Command()).options) {
    if (option.attributeName() !== without) command.addOption(option);
  }
  return command as never;
}

export function eventFilter(flags: EventFilterFlags) {
  const { status, method, from, to, q, ignoreCase, type, where, verification, duplicates } = flags;
  const waiting = flags.waiting ? (true as const) : undefined;
  const ignore_case = q !== undefined && ignoreCase ? true : undefined;
  return defined({
    ...{ status, method, from, to, q, ignore_case, type, where, verification, duplicates, waiting },
  });
}
