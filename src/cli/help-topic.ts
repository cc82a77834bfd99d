import type { Command } from 'commander';

/**
 * The words of a command line, with `help nosuch` as `nosuch`: then commander says
 * that there is no such command, and what may have been meant. Asked for its
 * help, it would print that of all commands, and not why.
 */
export function withoutUnknownTopic(program: Command, words: readonly string[]): readonly string[] {
  let command = program;
  for (const [i, word] of words.entries()) {
    const next = named(command, word);
    if (next) {
      command = next;
      continue;
    }
    const topic = words[i + 1];
    const asksHelp = word === 'help' && command.commands.length > 0;
    if (!asksHelp || topic === undefined || topic.startsWith('-')) return words;
    return named(command, topic) ? words : [...words.slice(0, i), topic];
  }
  return words;
}

function named(command: Command, word: string): Command | undefined {
  return command.commands.find((one) => one.name() === word);
}
