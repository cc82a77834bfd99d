import type { Command } from 'commander';
import { type Config, resolveConfig, type ServeFlags, storeOptions } from '../../config.ts';
import type { AdminStore } from '../../store/contract/admin-store.ts';
import { examplesText } from '../client/remote-command.ts';
import { Output } from '../terminal/output.ts';

/** What a command on the data directory works with. */
export interface Local {
  admin: AdminStore;
  config: Config;
  out: Output;
}

/**
 * Gives a command the options that all commands on the data directory have, and
 * examples to its help.
 */
export function local(command: Command, ...examples: string[]): Command {
  for (const option of storeOptions()) command.addOption(option);
  return command.option('--json', 'print JSON').addHelpText('after', examplesText(examples));
}

/**
 * Keeps `--database` out of a command's help: PostgreSQL brings what the command
 * does. Whoever has it set all the same is told so.
 */
export function ofFilesOnly(command: Command): Command {
  command.options.find(({ long }) => long === '--database')?.hideHelp();
  return command;
}

/**
 * An action of such a command, as commander calls it: arguments, then options.
 *
 * @param run gets what it works with, then the arguments and the options
 */
export function withAdmin<A extends unknown[]>(
  run: (local: Local, ...args: A) => Promise<void>,
): (...params: unknown[]) => Promise<void> {
  return async (...params) => {
    const command = params.at(-1) as Command;
    const flags = command.opts<ServeFlags & { json?: boolean }>();
    const config = resolveConfig(flags);
    // Only now: --help and wrong usage needn't load the database.
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
