import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import type { CallBody } from '../../api/client/typed-call.ts';
import { ON_UNJUDGED } from '../../core/judging/unjudged.ts';
import { ENDPOINT_SETTING_DESCRIPTIONS } from '../../core/settings/endpoint-setting-descriptions.ts';
import type { EndpointSetting } from '../../core/settings/endpoint-settings.ts';
import { duration } from '../arguments.ts';
import type { FlagsNamed } from '../command-part.ts';

/** How a setting is written on the command line. */
interface Form {
  /** Name of the value in help. */
  value?: string;
  /** Help text; the setting's description by default. */
  about?: string;
  choices?: readonly string[];
  /** The value as the API takes it; the text itself by default. */
  parse?(text: string): string;
  /** The word for null. commander can't hold null. */
  nullWord?: string;
  /** Help text of `--no-…`, which restores the default; null where there is no such flag. */
  no?: string | null;
}

/** The word for the server's retention. */
const SERVERS = 'default';

/** Null for a setting whose flags stand in another file or with the command. */
const FORMS: Readonly<Record<EndpointSetting, Form | null>> = {
  name: null,
  is_active: null,
  response: null,
  retention: {
    value: 'duration',
    about: "how long events are kept, such as 7d; default: the server's retention",
    parse: (text) => (text.trim() === SERVERS ? SERVERS : duration(text)),
    nullWord: SERVERS,
    no: null,
  },
  expect_every: {
    value: 'duration',
    about: 'open an issue when no event comes for longer: 1s to 365d',
    parse: duration,
    no: 'open no issue when it is silent',
  },
  dedupe: null,
  on_unjudged: {
    value: 'fate',
    about: 'events whose bodies filters cannot judge: send them, or hold them for a retry by hand',
    choices: ON_UNJUDGED,
    no: null,
  },
};

const SETTINGS = (Object.keys(FORMS) as EndpointSetting[]).flatMap((name) => {
  const form = FORMS[name];
  return form === null ? [] : [{ name, flag: `--${name.replaceAll('_', '-')}`, form }];
});

/** `--retention` and so on. */
export const SETTING_FLAGS: readonly string[] = SETTINGS.map(({ flag }) => flag);

/** commander's types can't infer flags from a table: their names come from the settings. */
type SettingFlags = FlagsNamed<EndpointSetting>;
type SettingChange = Pick<CallBody<'PATCH /api/endpoints/{id}'>, EndpointSetting>;

/** One flag for each plain setting. The server checks the values. */
export function addEndpointSettingFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & SettingFlags> {
  for (const { name, flag, form } of SETTINGS) {
    const { value = 'value', about = ENDPOINT_SETTING_DESCRIPTIONS[name] } = form;
    const option = new Option(`${flag} <${value}>`, about);
    if (form.choices) option.choices(form.choices);
    command.addOption(form.parse ? option.argParser(form.parse) : option);
  }
  return command as never;
}

/** Also those that restore a default. */
export function addEndpointSettingChangeFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & SettingFlags> {
  addEndpointSettingFlags(command);
  for (const { name, flag, form } of SETTINGS) {
    const { no = `restore the default of ${name}` } = form;
    if (no !== null) command.option(flag.replace('--', '--no-'), no);
  }
  return command as never;
}

/** What these flags say, as the API takes it. */
export function chosenEndpointSettings(flags: SettingFlags): SettingChange {
  const chosen: Partial<Record<EndpointSetting, unknown>> = {};
  for (const { name, flag, form } of SETTINGS) {
    const value = (flags as OptionValues)[new Option(flag).attributeName()];
    if (value === undefined) continue;
    chosen[name] = value === false || value === form.nullWord ? null : value;
  }
  // The server checks the values.
  return chosen as SettingChange;
}
