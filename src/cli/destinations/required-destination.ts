import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { DESTINATION_HELP } from '../client/destination-ref.ts';
import { ENDPOINT_HELP } from '../client/endpoint-ref.ts';
import type { ServerFlags } from '../client/remote-command.ts';
import { usageError } from '../command-error.ts';
import { commandPart } from '../command-part.ts';
import { shellWord } from '../terminal/shell-word.ts';

/** The arguments of a command on a destination. Wrap its action in `withDestination`. */
export const destinationArguments = commandPart((command) =>
  command
    .argument('<endpoint>', ENDPOINT_HELP)
    .argument('[destination]', DESTINATION_HELP)
    .usage('[options] <endpoint> <destination>'),
);

/**
 * Runs an action that needs a destination. `--url` names the server, but a person may have typed
 * the destination as `--url`. The error then says so, because commander's error would only name the
 * missing argument.
 */
export function withDestination<F extends ServerFlags>(
  run: (
    endpoint: string,
    destination: string,
    flags: NoInfer<F>,
    command: CommandUnknownOpts,
  ) => Promise<void>,
) {
  return async (
    endpoint: string,
    destination: string | undefined,
    flags: F,
    command: CommandUnknownOpts,
  ): Promise<void> => {
    if (destination !== undefined) return run(endpoint, destination, flags, command);
    if (command.getOptionValueSource('url') !== 'cli') {
      command.error(`error: missing required argument '${command.registeredArguments[1]?.name()}'`);
    }
    const words = [command.name(), endpoint, flags.url ?? ''].map(shellWord);
    throw usageError(
      '--url names the server, and the destination is missing',
      `hookrelay destinations ${words.join(' ')}`,
    );
  };
}
