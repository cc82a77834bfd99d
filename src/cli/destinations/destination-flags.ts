import {
  type Command,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { CallBody } from '../../api/client/typed-call.ts';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import type { DestinationSetting } from '../../core/settings/destination-settings.ts';
import { SETTING_DESCRIPTIONS } from '../../core/settings/setting-descriptions.ts';
import { duration } from '../arguments.ts';
import type { FlagsNamed } from '../command-part.ts';
import { defined } from '../defined.ts';
import { SettingFlags, type SettingForm } from '../setting-flags.ts';
import {
  addRetryFlags,
  chosenRetry,
  type RetryChangeFlags,
  type RetryFlags,
} from './retry-flags.ts';

const RESTORING = 'Options that restore defaults:';

const FORMS: Partial<Record<DestinationSetting, SettingForm>> = {
  filter: { value: 'rule' },
  state: { value: 'state', choices: ['active', 'paused', 'disabled'] },
  path: { value: 'mode', choices: ['append', 'ignore'] },
  retry: { add: addRetryFlags },
  timeout: { value: 'duration', parse: duration },
  rate: {
    value: 'limit/per',
    about: 'Most attempts in any second, minute or hour, such as 10/second.',
    parse: rate,
  },
  concurrency: { value: 'number|auto', parse: concurrency },
  order_by: { value: 'path|*' },
  breaker: {
    value: 'on|off',
    choices: ['on', 'off'],
    insteadOfNo: '--breaker off turns it off; --breaker on is the default',
  },
  hold: {
    value: 'duration|never',
    about: 'Longest time that an open breaker holds a delivery; then it is dead.',
    parse: (text) => (text === 'never' ? text : duration(text)),
    nullWord: 'never',
    insteadOfNo: '--hold never keeps deliveries forever; --hold 3d is the default',
  },
  sign_as: { value: 'signer', choices: ['provider'] },
};

const SETTINGS = new SettingFlags<DestinationSetting>(SETTING_DESCRIPTIONS, FORMS);

type NamedFlags = FlagsNamed<Exclude<DestinationSetting, 'retry'>>;
export type DestinationSettingFlags = NamedFlags & RetryFlags;
export type SettingChangeFlags = NamedFlags & RetryChangeFlags;

export function addDestinationSettingFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & DestinationSettingFlags> {
  SETTINGS.add(command);
  return command as never;
}

/** Adds a flag for each setting, and a `--no-…` that restores its default. */
export function addDestinationSettingChangeFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & SettingChangeFlags> {
  SETTINGS.addChange(command, RESTORING);
  command.addOption(new Option('--no-give-up-on', 'give up on 410 only').helpGroup(RESTORING));
  return command as never;
}

/**
 * Throws `config_invalid` for flags that contradict each other.
 *
 * @param present the destination to change; null for a new one
 */
export function chosenDestinationSettings(
  flags: SettingChangeFlags,
  present: DestinationAnswer | null,
): Pick<CallBody<'PATCH /api/endpoints/{id}/destinations/{destinationId}'>, DestinationSetting> {
  const retry = chosenRetry(flags, present?.retry ?? null);
  // The server checks the values.
  return { ...SETTINGS.chosen(flags), ...defined({ retry }) } as never;
}

const PERIODS: Record<string, string> = {
  ...{ s: 'second', sec: 'second', second: 'second' },
  ...{ m: 'minute', min: 'minute', minute: 'minute' },
  ...{ h: 'hour', hour: 'hour' },
};

/** Parses a rate such as `10/second`. */
function rate(text: string): object {
  const [, limit, unit = ''] = /^(\d{1,9}) ?\/ ?([a-z]+)$/.exec(text.trim()) ?? [];
  const per = Object.hasOwn(PERIODS, unit) ? PERIODS[unit] : undefined;
  if (limit !== undefined && per !== undefined) return { limit: Number(limit), per };
  throw new InvalidArgumentError('Expected a rate such as 10/second, 100/minute or 1000/hour.');
}

function concurrency(text: string): number | 'auto' {
  if (text === 'auto') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected auto, or a whole number from 1 to 256.');
}
