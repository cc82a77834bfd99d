import { Command } from '@commander-js/extra-typings';
import { packageVersion } from '../core/runtime/resource.ts';
import { escapeLines } from './terminal/escape-lines.ts';

/** The smallest column in which help wraps descriptions. `serve` has 38 of 80 columns for it. */
const MIN_HELP_COLUMN = 20;

/**
 * Returns the program without its commands. Subcommands from `program.command()` inherit the
 * handling of errors, exits and help.
 */
export function rootCommand(): Command {
  return (
    new Command('hookrelay')
      .description(
        'Captures webhooks, delivers them with retries, and lets you search and replay them.',
      )
      .version(packageVersion(), '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print help')
      // A command may have a `--version` of its own.
      .enablePositionalOptions()
      .configureHelp({ minWidthToWrap: MIN_HELP_COLUMN })
      .showSuggestionAfterError()
      .configureOutput({
        outputError: (text, write) => write(escapeLines(errorText(text))),
      })
      .exitOverride()
  );
}

function errorText(text: string): string {
  return text
    .replace(
      /^error: command-argument value '(.*)' is invalid for argument '([^']*)'\./s,
      "error: argument '$2' value '$1' is invalid.",
    )
    .replace(/^error: /, 'hookrelay: ');
}
