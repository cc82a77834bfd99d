import type { Command, CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import { type Config, resolveConfig } from '../../config/config.ts';
import { addSettings, type ServeFlags } from '../../config/settings.ts';
import type { AdminStore } from '../../store/contract/admin-store.ts';
import { examplesText } from '../client/remote-command.ts';
import { commandPart, type Declared, declared, type FlagsOf } from '../command-part.ts';
import { Output } from '../terminal/output.ts';

export interface Local {
  admin: AdminStore;
  config: Config;
  out: Output;
}

const addLocalFlags = commandPart((command) =>
  addSettings(command, ['dataDir', 'database']).option('--json', 'print JSON'),
);

type LocalFlags = FlagsOf<typeof addLocalFlags>;

export function local<A extends unknown[], F extends OptionValues>(
  command: Command<A, F>,
  ...examples: string[]
) {
  return addLocalFlags(command).addHelpText('after', examplesText(examples));
}

/**
 * Hides `--database` from a command's help, because PostgreSQL has its own tool for the task. With
 * `--database`, the command fails and names that tool.
 */
export function ofFilesOnly<C extends CommandUnknownOpts>(command: C): C {
  command.options.find(({ long }) => long === '--database')?.hideHelp();
  return command;
}

/** @param run gets the context first, then commander's arguments and options */
export function withAdmin<P extends [...unknown[], LocalFlags, CommandUnknownOpts]>(
  run: (local: Local, ...params: Declared<P>) => Promise<void>,
): (...params: P) => Promise<void> {
  return async (...params) => {
    // A command can have any of the server's settings.
    const flags = params.at(-2) as LocalFlags & ServeFlags;
    const config = resolveConfig(flags);
    // Import late, because `--help` and wrong usage don't need the database.
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
