import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import { type Config, resolveConfig } from '../../config/config.ts';
import { addSettings, type ServeFlags } from '../../config/settings.ts';
import type { AdminStore } from '../../store/contract/admin-store.ts';
import { examplesText } from '../client/remote-command.ts';
import { commandPart, type Declared, declared, type FlagsOf } from '../command-part.ts';
import { Output } from '../terminal/output.ts';

/** What a command on the data directory gets. */
export interface Local {
  admin: AdminStore;
  config: Config;
  out: Output;
}

const addLocalFlags = commandPart((command) =>
  addSettings(command, ['dataDir', 'database']).option('--json', 'print JSON'),
);

type LocalFlags = FlagsOf<typeof addLocalFlags>;

/** Adds the options that all commands on the data directory share, and examples. */
export function local<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
  ...examples: string[]
) {
  return addLocalFlags(command).addHelpText('after', examplesText(examples));
}

/**
 * Hides `--database` from a command's help, because PostgreSQL has its own tool for the task. If a
 * user types `--database` anyway, the command fails and names that tool.
 */
export function ofFilesOnly<C extends CommandUnknownOpts>(command: C): C {
  command.options.find(({ long }) => long === '--database')?.hideHelp();
  return command;
}

/**
 * Makes an action for commander. commander calls it with the arguments and then the options.
 *
 * @param run gets the context first, then the same arguments and options
 */
export function withAdmin<P extends [...unknown[], LocalFlags, CommandUnknownOpts]>(
  run: (local: Local, ...params: Declared<P>) => Promise<void>,
): (...params: P) => Promise<void> {
  return async (...params) => {
    // A command may have more settings than this function reads.
    const flags = params.at(-2) as LocalFlags & ServeFlags;
    const config = resolveConfig(flags);
    // Imported late: --help and wrong usage needn't load the database.
    const { openAdmin } = await import('../../store/open.ts');
    const admin = await openAdmin(config);
    try {
      const out = new Output({ json: flags.json === true });
      await run({ admin, config, out }, ...declared(params));
    } finally {
      await admin.close();
    }
  };
}
