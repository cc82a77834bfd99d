import { type Command, Option } from 'commander';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';
import { SETTING_DESCRIPTIONS } from '../../core/settings/setting-descriptions.ts';

const DESCRIPTIONS: Record<keyof DestinationSettings, string> = SETTING_DESCRIPTIONS;

const SETTINGS = Object.entries(DESCRIPTIONS).map(([name, description]) => ({
  name,
  flag: `--${name.replaceAll('_', '-')}`,
  description,
}));

/** One flag for each setting, `--order-by <value>` for `order_by`. The server checks the values. */
export function addSettingFlags(command: Command): Command {
  for (const { flag, description } of SETTINGS) command.option(`${flag} <value>`, description);
  return command;
}

/** Also `--no-…` for each, which restores the default. */
export function addSettingChangeFlags(command: Command): Command {
  addSettingFlags(command);
  for (const { name, flag } of SETTINGS) {
    command.option(flag.replace('--', '--no-'), `restore the default of ${name}`);
  }
  return command;
}

/** What the flags say, as the API takes it. */
export function chosenSettings(flags: Record<string, unknown>): Partial<DestinationSettings> {
  const chosen = SETTINGS.flatMap(({ name, flag }) => {
    const value = flags[new Option(flag).attributeName()];
    return value === undefined ? [] : [[name, value === false ? null : value]];
  });
  return Object.fromEntries(chosen);
}

/** The settings that have a value, for people. */
export function settingPairs(
  settings: Record<keyof DestinationSettings, unknown>,
): [string, string][] {
  return SETTINGS.flatMap(({ name }): [string, string][] => {
    const value = settings[name as keyof DestinationSettings];
    if (value === null || value === undefined) return [];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [[name.replaceAll('_', ' '), text]];
  });
}
