import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { dropEmptyVariables } from '../config/config.ts';
import { HookrelayError } from '../core/errors.ts';
import { packageVersion } from '../core/runtime/resource.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import { addAccountCommand } from './accounts/account-command.ts';
import { addAuditCommand } from './accounts/audit-command.ts';
import { addTokensCommand } from './accounts/tokens-command.ts';
import { addUsersCommand } from './accounts/users-command.ts';
import { addAiCommand } from './ai/ai-command.ts';
import { addChannelsCommand } from './channels/channels-command.ts';
import { LoggedFailure, MarkedError } from './command-error.ts';
import { addBackupCommand } from './data/backup-command.ts';
import { addMigrateCommand } from './data/migrate-command.ts';
import { addPruneCommand } from './data/prune-command.ts';
import { addReindexCommand } from './data/reindex-command.ts';
import { addRestoreCommand } from './data/restore-command.ts';
import { addDeliveriesCommand } from './deliveries/deliveries-command.ts';
import { addDestinationsCommand } from './destinations/destinations-command.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { addEndpointsCommand } from './endpoints/endpoints-command.ts';
import { addEventsCommand } from './events/events-command.ts';
import { addRejectedCommand } from './events/rejected-command.ts';
import { withoutHelpCommand } from './help-topic.ts';
import { addIssuesCommand } from './issues/issues-command.ts';
import { addListenCommand } from './listen/listen-command.ts';
import { addReplayCommand } from './replays/replay-command.ts';
import { addReplaysCommand } from './replays/replays-command.ts';
import { addRulesCommand } from './rules/rules-command.ts';
import { addServeCommand } from './serve/serve-command.ts';
import { addProvidersCommand } from './sources/providers-command.ts';
import { addSourceCommand } from './sources/source-command.ts';
import { addTailCommand } from './streams/tail-command.ts';
import { markedLines } from './terminal/marked-text.ts';
import { addTriggerCommand } from './trigger/trigger-command.ts';
import { addTypesCommand } from './types/types-command.ts';

export const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;
const HELP_ABOUT = "print a command's help";

const EXAMPLES = `
Examples:
  $ hookrelay listen 3000
  $ hookrelay serve --allow-private-destinations
  $ hookrelay register --email ada@example.com
  $ hookrelay endpoints create orders
  $ hookrelay trigger github.push --to orders
  $ hookrelay events search orders grace@example.com
  $ hookrelay tail orders --attempts

hookrelay COMMAND --help shows the options of a command, and examples.
`;

/** The smallest column in which help wraps descriptions. `serve` has 38 of 80 columns for it. */
const MIN_HELP_COLUMN = 20;

/** Subcommands from `program.command()` inherit the handling of errors, exits and help. */
export function createProgram(): Command {
  const program = new Command('hookrelay')
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
    .exitOverride();
  program.commandsGroup('Server:');
  addServeCommand(program);
  program.commandsGroup('Follow and forward:');
  addTailCommand(program);
  addListenCommand(program);
  addTriggerCommand(program);
  program.commandsGroup('Account:');
  addAccountCommand(program);
  addTokensCommand(program);
  addAuditCommand(program);
  program.commandsGroup('Issues:');
  addIssuesCommand(program);
  addChannelsCommand(program);
  program.commandsGroup('Endpoints and events:');
  addEndpointsCommand(program);
  addSourceCommand(program);
  addRejectedCommand(program);
  addProvidersCommand(program);
  addDestinationsCommand(program);
  addRulesCommand(program);
  addEventsCommand(program);
  addTypesCommand(program);
  addDeliveriesCommand(program);
  addReplayCommand(program);
  addReplaysCommand(program);
  addAiCommand(program);
  program.commandsGroup('On the data directory, beside a running server:');
  addUsersCommand(program);
  addBackupCommand(program);
  addDoctorCommand(program);
  addPruneCommand(program);
  program.commandsGroup('On the data directory, while no server runs:');
  addRestoreCommand(program);
  addReindexCommand(program);
  addMigrateCommand(program);
  program
    .commandsGroup('Help:')
    .helpCommand('help [command...]', HELP_ABOUT)
    .addHelpText('after', EXAMPLES);
  describeHelp(program.commands);
  return program;
}

/** Subcommands don't inherit the description of the help command. */
function describeHelp(commands: readonly CommandUnknownOpts[]): void {
  for (const group of commands.filter((one) => one.commands.length > 0)) {
    group.helpCommand('help [command]', HELP_ABOUT);
    describeHelp(group.commands);
  }
}

/** Returns the exit code: 0, 1 after a failure, 2 after wrong usage. Never throws. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  dropEmptyVariables(process.env);
  try {
    const program = createProgram();
    const words = withoutHelpCommand(program, argv.slice(2));
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // commander has already printed the message. It also throws for help and version, with code 0.
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
  if (error instanceof HookrelayError) {
    printError(`hookrelay: ${escapeControls(error.message)}`);
    if (error instanceof MarkedError) printError(markedLines(error.text, error.at).join('\n'));
    if (error.hint !== undefined) printError(`  hint: ${escapeControls(error.hint)}`);
    return exitCodeOf(error);
  }
  if (error instanceof LoggedFailure) return exitCodeOf(error.cause);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  printError(`hookrelay: unexpected error\n${escapeLines(text)}`);
  return EXIT_FAILURE;
}

function exitCodeOf(error: unknown): number {
  const isUsage = error instanceof HookrelayError && error.code === 'config_invalid';
  return isUsage ? EXIT_USAGE : EXIT_FAILURE;
}

function errorText(text: string): string {
  return text
    .replace(
      /^error: command-argument value '(.*)' is invalid for argument '([^']*)'\./s,
      "error: argument '$2' value '$1' is invalid.",
    )
    .replace(/^error: /, 'hookrelay: ');
}

/** Escapes control characters of typed or received text. Keeps line breaks. */
function escapeLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}
