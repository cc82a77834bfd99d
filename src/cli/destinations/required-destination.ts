import type { Command } from 'commander';
import { ENDPOINT_HELP } from '../client/endpoint-ref.ts';
import { usageError } from '../command-error.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { DESTINATION_HELP } from './destination-ref.ts';

/** The arguments of a command on a destination. Its action goes through `withDestination`. */
export function destinationArguments(command: Command): Command {
  return command
    .argument('<endpoint>', ENDPOINT_HELP)
    .argument('[destination]', DESTINATION_HELP)
    .usage('[options] <endpoint> <destination>');
}

/**
 * Runs an action whose second argument, the destination, must be there. A
 * person may have given it as `--url`, which names the server: commander's own error
 * would only say that the argument is missing.
 */
export function withDestination(run: (...params: unknown[]) => Promise<void>): typeof run {
  return async (...params) => {
    const [endpoint, destination] = params as [string, string | undefined];
    const command = params.at(-1) as Command;
    if (destination !== undefined) return run(...params);
    if (command.getOptionValueSource('url') !== 'cli') {
      command.error(`error: missing required argument '${command.registeredArguments[1]?.name()}'`);
    }
    const words = [command.name(), endpoint, command.opts<{ url: string }>().url].map(shellWord);
    throw usageError(
      '--url names the server, and the destination is missing',
      `hookrelay destinations ${words.join(' ')}`,
    );
  };
}
