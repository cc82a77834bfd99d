import {
  type Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import { usageError } from './command-error.ts';

/** How the command line writes a setting. */
export interface SettingForm {
  /** What help calls the value. Default: `value`. */
  value?: string;
  /** Help text. Default: the setting's description. */
  about?: string;
  choices?: readonly string[];
  /** Turns the text into the value that the API takes. Default: the text itself. */
  parse?(text: string): unknown;
  /**
   * The word that means null, for a setting with a null that isn't its default. The word stays text
   * until `chosen`, because commander can't hold null.
   */
  nullWord?: string;
  /** Help text of the flag `--no-…`, which restores the default. Null if there is no such flag. */
  no?: string | null;
  /**
   * A hint that tells how to restore the default, for a setting whose `--no-…` would be misread.
   * For example, `--no-breaker` would turn the breaker on. The command refuses that flag with this
   * hint.
   */
  insteadOfNo?: string;
  /** Adds the flags of a setting that needs several. `chosen` leaves out such a setting. */
  add?(command: Command): unknown;
}

/**
 * The flags of settings: `--order-by <value>` for `order_by`. The server checks the values.
 * commander can't infer the types of flags from a table, so each caller declares them.
 */
export class SettingFlags<N extends string> {
  /** The names of the flags: `--retention` and so on. */
  readonly names: readonly string[];
  readonly #settings: readonly { name: N; flag: string; form: SettingForm; about: string }[];

  /**
   * @param descriptions the settings, in the order in which help lists them
   * @param forms the form of each setting. Null for a setting whose flag is defined elsewhere
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

  /** Adds one flag for each setting. */
  add(command: CommandUnknownOpts): void {
    for (const { flag, form, about } of this.#settings) {
      const { value = 'value', choices, parse, add } = form;
      const option = new Option(`${flag} <${value}>`, about);
      if (choices) option.choices(choices);
      if (add) add(command as Command);
      else command.addOption(parse ? option.argParser(parse) : option);
    }
  }

  /** Adds the same flags, and a `--no-…` for each under the help's heading `heading`. */
  addChange(command: CommandUnknownOpts, heading: string): void {
    this.add(command);
    for (const { name, flag, form } of this.#settings) {
      const { no = `restore the default of ${name}`, insteadOfNo } = form;
      if (no === null) continue;
      const option = new Option(flag.replace('--', '--no-'), no).helpGroup(heading);
      command.addOption(option.hideHelp(insteadOfNo !== undefined));
    }
  }

  /** Returns the flags' values in the API's form. Throws `config_invalid` for an ambiguous flag. */
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
