import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { CallBody } from '../../api/client/typed-call.ts';
import { ON_UNJUDGED } from '../../core/judging/unjudged.ts';
import { ENDPOINT_SETTING_DESCRIPTIONS } from '../../core/settings/endpoint-setting-descriptions.ts';
import type { EndpointSetting } from '../../core/settings/endpoint-settings.ts';
import { duration } from '../arguments.ts';
import type { FlagsNamed } from '../command-part.ts';
import { SettingFlags, type SettingForm } from '../setting-flags.ts';

/** The word for the server's own retention. */
const SERVERS = 'default';

/** Null for a setting whose flags are in another file, or in the command itself. */
const FORMS: Readonly<Record<EndpointSetting, SettingForm | null>> = {
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
    about: 'open an issue after this long without an event: 1s to 365d',
    parse: duration,
    no: 'open no issue for silence',
  },
  dedupe: null,
  on_unjudged: {
    value: 'fate',
    about: 'send events whose body filters cannot judge, or hold them until you retry them',
    choices: ON_UNJUDGED,
    no: null,
  },
};

const SETTINGS = new SettingFlags(ENDPOINT_SETTING_DESCRIPTIONS, FORMS);

export const SETTING_FLAGS = SETTINGS.names;

type NamedFlags = FlagsNamed<EndpointSetting>;

export function addEndpointSettingFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & NamedFlags> {
  SETTINGS.add(command);
  return command as never;
}

/** Adds a flag for each setting, and flags that restore defaults. */
export function addEndpointSettingChangeFlags<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
): Command<A, F & NamedFlags> {
  SETTINGS.addChange(command, 'Options:');
  return command as never;
}

/** The server checks the settings. */
export function chosenEndpointSettings(
  flags: NamedFlags,
): Pick<CallBody<'PATCH /api/endpoints/{id}'>, EndpointSetting> {
  return SETTINGS.chosen(flags) as never;
}
