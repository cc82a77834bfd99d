import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import { type Config, resolveConfig } from '../../config/config.ts';
import { addSettings, type ServeFlags } from '../../config/settings.ts';
import type { AdminStore } from '../../store/contract/admin-store.ts';
import { examplesText } from '../client/remote-command.ts';
import { commandPart, type Declared, declared, type FlagsOf } from '../command-part.ts';
import { Output } from '../terminal/output.ts';

/** Context of a command on the data directory. */
export interface Local {
  admin: AdminStore;
  config: Config;
  out: Output;
}

const addLocalFlags = commandPart((command) =>
  addSettings(command, ['dataDir', 'database']).option('--json', 'print JSON'),
);

type LocalFlags = FlagsOf<typeof addLocalFlags>;

/** Adds the options of all commands on the data directory, and examples. */
export function local<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
  ...examples: string[]
) {
  return addLocalFlags(command).addHelpText('after', examplesText(examples));
}

/**
 * Hides `--database` from a command's help: PostgreSQL has its own tool for the task.
 * With `--database` the command fails and names that tool.
 */
export function ofFilesOnly<C extends CommandUnknownOpts>(command: C): C {
  command.options.find(({ long }) => long === '--database')?.hideHelp();
  return command;
}

/**
 * Wraps an action for commander, which passes arguments, then options.
 *
 * @param run takes the context, then the arguments and the options
 */
export function withAdmin<P extends [...unknown[], LocalFlags, CommandUnknownOpts]>(
  run: (local: Local, ...params: Declared<P>) => Promise<void>,
): (...params: P) => Promise<void> {
  return async (...params) => {
    // A command may have more settings than it reads itself.
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
