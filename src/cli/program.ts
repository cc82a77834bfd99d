import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import { addAccountCommand } from './accounts/account-command.ts';
import { addAuditCommand } from './accounts/audit-command.ts';
import { addTokensCommand } from './accounts/tokens-command.ts';
import { addUsersCommand } from './accounts/users-command.ts';
import { addAiCommand } from './ai/ai-command.ts';
import { addChannelsCommand } from './channels/channels-command.ts';
import { addBackupCommand } from './data/backup-command.ts';
import { addMigrateCommand } from './data/migrate-command.ts';
import { addPruneCommand } from './data/prune-command.ts';
import { addReindexCommand } from './data/reindex-command.ts';
import { addRekeyCommand } from './data/rekey-command.ts';
import { addRestoreCommand } from './data/restore-command.ts';
import { addDeliveriesCommand } from './deliveries/deliveries-command.ts';
import { addDestinationsCommand } from './destinations/destinations-command.ts';
import { addDoctorCommand } from './doctor/doctor-command.ts';
import { addEndpointsCommand } from './endpoints/endpoints-command.ts';
import { addEventsCommand } from './events/events-command.ts';
import { addRejectedCommand } from './events/rejected-command.ts';
import { addIssuesCommand } from './issues/issues-command.ts';
import { addListenCommand } from './listen/listen-command.ts';
import { addReplayCommand } from './replays/replay-command.ts';
import { addReplaysCommand } from './replays/replays-command.ts';
import { rootCommand } from './root-command.ts';
import { addRulesCommand } from './rules/rules-command.ts';
import { addServeCommand } from './serve/serve-command.ts';
import { addProvidersCommand } from './sources/providers-command.ts';
import { addSourceCommand } from './sources/source-command.ts';
import { addTailCommand } from './streams/tail-command.ts';
import { addTriggerCommand } from './trigger/trigger-command.ts';
import { addTypesCommand } from './types/types-command.ts';

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

/** Returns the program with all commands. */
export function createProgram(): Command {
  const program = rootCommand();
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
  addRekeyCommand(program);
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
