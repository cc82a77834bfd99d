import {
  type Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import { usageError } from './command-error.ts';

export interface SettingForm {
  /** The name of the value in the help. Default: `value`. */
  value?: string;
  /** Help text. Default: the setting's description. */
  about?: string;
  choices?: readonly string[];
  /** Returns the value for the API. Default: the text itself. */
  parse?(text: string): unknown;
  /** The word for null. `chosen` replaces it, because commander can't store null. */
  nullWord?: string;
  /** Help text of `--no-…`, which restores the default; null without that flag. */
  no?: string | null;
  /**
   * Hint for a setting whose `--no-…` would be misread: `--no-breaker` would turn the breaker on.
   */
  insteadOfNo?: string;
  /** Adds the flags of a setting that needs several. `chosen` skips such a setting. */
  add?(command: Command): unknown;
}

/**
 * The server checks the values. Callers declare the types of the flags, because commander can't
 * infer them from a table.
 */
export class SettingFlags<N extends string> {
  readonly names: readonly string[];
  readonly #settings: readonly { name: N; flag: string; form: SettingForm; about: string }[];

  /**
   * @param descriptions the settings, in the order of the help
   * @param forms the form of each setting; null for a setting whose flag is defined elsewhere
   */
  constructor(
    descriptions: Readonly<Record<N, string>>,
    forms: Readonly<Partial<Record<N, SettingForm | null>>>,
  ) {
    this.#settings = (Object.keys(descriptions) as N[]).flatMap((name) => {
      const form = forms[name] ?? {};
      const flag = `--${name.replaceAll('_', '-')}`;
      const { about = descriptions[name] } = form;
      return forms[name] === null ? [] : [{ name, flag, form, about }];
    });
    this.names = this.#settings.map(({ flag }) => flag);
  }

  add(command: CommandUnknownOpts): void {
    for (const { flag, form, about } of this.#settings) {
      const { value = 'value', choices, parse, add } = form;
      const option = new Option(`${flag} <${value}>`, about);
      if (choices) option.choices(choices);
      if (add) add(command as Command);
      else command.addOption(parse ? option.argParser(parse) : option);
    }
  }

  addChange(command: CommandUnknownOpts, heading: string): void {
    this.add(command);
    for (const { name, flag, form } of this.#settings) {
      const { no = `restore the default of ${name}`, insteadOfNo } = form;
      if (no === null) continue;
      const option = new Option(flag.replace('--', '--no-'), no).helpGroup(heading);
      command.addOption(option.hideHelp(insteadOfNo !== undefined));
    }
  }

  /** Throws `config_invalid` for an ambiguous flag. */
  chosen(flags: OptionValues): Partial<Record<N, unknown>> {
    const chosen: Partial<Record<N, unknown>> = {};
    for (const { name, flag, form } of this.#settings) {
      const value = flags[new Option(flag).attributeName()];
      if (form.add || value === undefined) continue;
      if (value === false && form.insteadOfNo !== undefined) {
        throw usageError(`${flag.replace('--', '--no-')} is ambiguous`, form.insteadOfNo);
      }
      chosen[name] = value === false || value === form.nullWord ? null : value;
    }
    return chosen;
  }
}
