import {
  type Command,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { CallBody } from '../../api/client/typed-call.ts';
import type { DestinationAnswer } from '../../api/destinations/destination-answer.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';
import { SETTING_DESCRIPTIONS } from '../../core/settings/setting-descriptions.ts';
import { duration } from '../arguments.ts';
import { usageError } from '../command-error.ts';
import type { FlagsNamed } from '../command-part.ts';
import {
  addRetryFlags,
  chosenRetry,
  type RetryChangeFlags,
  type RetryFlags,
} from './retry-flags.ts';

type SettingName = keyof DestinationSettings;
type SettingChange = Pick<
  CallBody<'PATCH /api/endpoints/{id}/destinations/{destinationId}'>,
  SettingName
>;

/** How a setting is written on the command line. */
interface Form {
  /** Name of the value in help. */
  value?: string;
  /** Help text; the setting's description by default. */
  about?: string;
  choices?: readonly string[];
  /** The value as the API takes it; the text itself by default. */
  parse?(text: string): unknown;
  /** The word for null, where null is a value and not the default. commander can't hold null. */
  nullWord?: string;
  /**
   * How to choose the default of a setting whose `--no-…` reads as the opposite:
   * `--no-breaker` would turn the breaker on. Such a flag is refused.
   */
  insteadOfNo?: string;
}

/** Heading of the flags `--no-…`. */
const RESTORING = 'Defaults again:';

const DESCRIPTIONS: Record<SettingName, string> = SETTING_DESCRIPTIONS;

/** The settings whose value isn't just text. `retry` has several flags of its own. */
const FORMS: Partial<Record<SettingName, Form>> = {
  filter: { value: 'rule' },
  state: { value: 'state', choices: ['active', 'paused', 'disabled'] },
  path: { value: 'mode', choices: ['append', 'ignore'] },
  timeout: { value: 'duration', parse: duration },
  rate: {
    value: 'limit/per',
    about: 'Most attempts that start in any second, minute or hour: 10/second.',
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
    about: 'How long an open breaker may hold a delivery back before it dies.',
    parse: (text) => (text === 'never' ? text : duration(text)),
    nullWord: 'never',
    insteadOfNo: '--hold never keeps deliveries for ever; --hold 3d is the default',
  },
  sign_as: { value: 'signer', choices: ['provider'] },
};

const SETTINGS = (Object.keys(DESCRIPTIONS) as SettingName[]).map((name) => {
  const form = FORMS[name] ?? {};
  return { name, flag: `--${name.replaceAll('_', '-')}`, form };
});

/**
 * The flags of settings. commander's types can't infer them from a table: their names come
 * from the settings, and `chosenSettings` alone reads their values.
 */
export type DestinationSettingFlags = NamedFlags & RetryFlags;
export type SettingChangeFlags = NamedFlags & RetryChangeFlags;

type NamedFlags = FlagsNamed<Exclude<SettingName, 'retry'>>;

/** One flag for each setting, `--order-by <value>` for `order_by`. The server checks the values. */
export function addDestinationSettingFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & DestinationSettingFlags> {
  for (const { name, flag, form } of SETTINGS) {
    if (name === 'retry') addRetryFlags(command);
    else command.addOption(settingOption(flag, form, form.about ?? DESCRIPTIONS[name]));
  }
  return command as never;
}

/** Also `--no-…` for each, which restores the default. */
export function addDestinationSettingChangeFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & SettingChangeFlags> {
  addDestinationSettingFlags(command);
  for (const { name, flag, form } of SETTINGS) {
    const option = new Option(flag.replace('--', '--no-'), `restore the default of ${name}`);
    option.hideHelp(form.insteadOfNo !== undefined).helpGroup(RESTORING);
    command.addOption(option);
  }
  command.addOption(new Option('--no-give-up-on', 'give up on 410 only').helpGroup(RESTORING));
  return command as never;
}

/**
 * What the flags say, as the API takes it. Throws `config_invalid` for flags that
 * contradict each other.
 *
 * @param present the destination that is changed; null for a new one
 */
export function chosenDestinationSettings(
  flags: SettingChangeFlags,
  present: DestinationAnswer | null,
): SettingChange {
  const chosen: Partial<Record<SettingName, unknown>> = {};
  for (const { name, flag, form } of SETTINGS) {
    const value = (flags as OptionValues)[new Option(flag).attributeName()];
    if (name === 'retry' || value === undefined) continue;
    if (value === false && form.insteadOfNo !== undefined) {
      throw usageError(`${flag.replace('--', '--no-')} is ambiguous`, form.insteadOfNo);
    }
    chosen[name] = value === false || value === form.nullWord ? null : value;
  }
  const retry = chosenRetry(flags, present?.retry ?? null);
  // The server checks the values.
  return (retry === undefined ? chosen : { ...chosen, retry }) as SettingChange;
}

function settingOption(flag: string, { value, choices, parse }: Form, about: string): Option {
  const option = new Option(`${flag} <${value ?? 'value'}>`, about);
  if (choices) option.choices(choices);
  return parse ? option.argParser(parse) : option;
}

const PERIODS: Record<string, string> = {
  ...{ s: 'second', sec: 'second', second: 'second' },
  ...{ m: 'minute', min: 'minute', minute: 'minute' },
  ...{ h: 'hour', hour: 'hour' },
};

/** `10/second`. */
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
