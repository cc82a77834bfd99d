import type { Command } from 'commander';
import { type ServeFlags, storeOptions } from '../../config/settings.ts';
import { type Config, resolveConfig } from '../../config.ts';
import type { AdminStore } from '../../store/contract/admin-store.ts';
import { examplesText } from '../client/remote-command.ts';
import { Output } from '../terminal/output.ts';

/** Context of a command on the data directory. */
export interface Local {
  admin: AdminStore;
  config: Config;
  out: Output;
}

/** Adds the options of all commands on the data directory, and examples. */
export function local(command: Command, ...examples: string[]): Command {
  for (const option of storeOptions()) command.addOption(option);
  return command.option('--json', 'print JSON').addHelpText('after', examplesText(examples));
}

/**
 * Hides `--database` from a command's help: PostgreSQL has its own tool for the task.
 * With `--database` the command fails and names that tool.
 */
export function ofFilesOnly(command: Command): Command {
  command.options.find(({ long }) => long === '--database')?.hideHelp();
  return command;
}

/**
 * Wraps an action for commander, which passes arguments, then options.
 *
 * @param run takes the context, then the arguments and the options
 */
export function withAdmin<A extends unknown[]>(
  run: (local: Local, ...args: A) => Promise<void>,
): (...params: unknown[]) => Promise<void> {
  return async (...params) => {
    const command = params.at(-1) as Command;
    const flags = command.opts<ServeFlags & { json?: boolean }>();
    const config = resolveConfig(flags);
    // Imported late: --help and wrong usage needn't load the database.
    const { openAdmin } = await import('../../store/open.ts');
    const admin = await openAdmin(config);
    try {
      const out = new Output({ json: flags.json === true });
      await run({ admin, config, out }, ...(params.slice(0, -1) as A));
    } finally {
      await admin.close();
    }
  };
}
