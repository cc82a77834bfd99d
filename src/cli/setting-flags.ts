import {
  type Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import { usageError } from './command-error.ts';

/** How a setting is written on the command line. */
export interface SettingForm {
  /** Name of the value in help. */
  value?: string;
  /** Help text; the setting's description by default. */
  about?: string;
  choices?: readonly string[];
  /** The value as the API takes it; the text itself by default. */
  parse?(text: string): unknown;
  /** The word for null, where null is a value and not the default. commander can't hold null. */
  nullWord?: string;
  /** Help text of `--no-…`, which restores the default; null where there is no such flag. */
  no?: string | null;
  /**
   * How to choose the default of a setting whose `--no-…` reads as the opposite:
   * `--no-breaker` would turn the breaker on. The command refuses such a flag.
   */
  insteadOfNo?: string;
  /** Adds the several flags of a setting. `chosen` leaves them out. */
  add?(command: Command): unknown;
}

/**
 * The flags of settings: `--order-by <value>` for `order_by`. The server checks the values.
 * commander's types can't infer flags from a table, so callers name their types.
 */
export class SettingFlags<N extends string> {
  /** `--retention` and so on. */
  readonly names: readonly string[];
  readonly #settings: readonly { name: N; flag: string; form: SettingForm; about: string }[];

  /**
   * @param descriptions the settings, in the order of help
   * @param forms null for a setting without a flag here
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

  /** One flag for each setting. */
  add(command: CommandUnknownOpts): void {
    for (const { flag, form, about } of this.#settings) {
      const { value = 'value', choices, parse, add } = form;
      const option = new Option(`${flag} <${value}>`, about);
      if (choices) option.choices(choices);
      if (add) add(command as Command);
      else command.addOption(parse ? option.argParser(parse) : option);
    }
  }

  /** Also `--no-…` for each, under a heading of help. */
  addChange(command: CommandUnknownOpts, heading: string): void {
    this.add(command);
    for (const { name, flag, form } of this.#settings) {
      const { no = `restore the default of ${name}`, insteadOfNo } = form;
      if (no === null) continue;
      const option = new Option(flag.replace('--', '--no-'), no).helpGroup(heading);
      command.addOption(option.hideHelp(insteadOfNo !== undefined));
    }
  }

  /** The values of the flags in the API's form. Throws `config_invalid` for an ambiguous flag. */
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
