import type { Command } from 'commander';

/**
 * The words of a command line, with `help endpoints create` as
 * `endpoints create --help`: commander's own help command takes the name of one
 * command only. Where a name is unknown, `help` is left out: commander then says
 * that there is no such command, and what may have been meant.
 */
export function withoutHelpCommand(program: Command, words: readonly string[]): readonly string[] {
  const { path, command } = followed(program, words);
  if (words[path.length] !== 'help' || command.commands.length === 0) return words;
  const topics = words.slice(path.length + 1);
  const wanted = followed(command, topics);
  const [unknown] = topics.slice(wanted.path.length);
  const isUnknown =
    unknown !== undefined && !unknown.startsWith('-') && wanted.command.commands.length > 0;
  return [...path, ...wanted.path, isUnknown ? unknown : '--help'];
}

/** The command that the first words name, and those words. */
function followed(
  from: Command,
  words: readonly string[],
): { command: Command; path: readonly string[] } {
  let command = from;
  for (const [i, word] of words.entries()) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) return { command, path: words.slice(0, i) };
    command = next;
  }
  return { command, path: words };
}
