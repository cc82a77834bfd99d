import type { CommandUnknownOpts } from '@commander-js/extra-typings';

/**
 * Returns `endpoints create --help` for `help endpoints create`, because commander's own help
 * command takes only one name. For an unknown name, drops only `help`, so that commander suggests a
 * known name.
 */
export function withoutHelpCommand(
  program: CommandUnknownOpts,
  words: readonly string[],
): readonly string[] {
  const { path, command } = followed(program, words);
  if (words[path.length] !== 'help' || command.commands.length === 0) return words;
  const topics = words.slice(path.length + 1);
  const wanted = followed(command, topics);
  const [unknown] = topics.slice(wanted.path.length);
  const isUnknown =
    unknown !== undefined && !unknown.startsWith('-') && wanted.command.commands.length > 0;
  return [...path, ...wanted.path, isUnknown ? unknown : '--help'];
}

function followed(
  from: CommandUnknownOpts,
  words: readonly string[],
): { command: CommandUnknownOpts; path: readonly string[] } {
  let command = from;
  for (const [i, word] of words.entries()) {
    const next = command.commands.find(
      (one) => one.name() === word || one.aliases().includes(word),
    );
    if (!next) return { command, path: words.slice(0, i) };
    command = next;
  }
  return { command, path: words };
}
