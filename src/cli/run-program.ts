import { type Command, CommanderError } from '@commander-js/extra-typings';
import { dropEmptyVariables } from '../config/config.ts';
import { HookrelayError } from '../core/errors.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import { LoggedFailure, MarkedError } from './command-error.ts';
import { withoutHelpCommand } from './help-topic.ts';
import { rootCommand } from './root-command.ts';
import { addServeCommand } from './serve/serve-command.ts';
import { escapeLines } from './terminal/escape-lines.ts';
import { markedLines } from './terminal/marked-text.ts';

export const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/** Returns the exit code: 0, 1 after a failure, 2 after wrong usage. Never throws. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  dropEmptyVariables(process.env);
  try {
    const program = await programOf(argv[2]);
    const words = withoutHelpCommand(program, argv.slice(2));
    await program.parseAsync(words, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** `serve` starts sooner without the code of the other commands. */
async function programOf(command: string | undefined): Promise<Command> {
  if (command !== 'serve') return (await import('./program.ts')).createProgram();
  const program = rootCommand();
  addServeCommand(program);
  return program;
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

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}
