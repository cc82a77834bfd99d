import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../../src/cli/program.ts';

const NAMES = ['users', 'backup', 'restore', 'doctor', 'prune', 'reindex', 'migrate'];

function helpOf(command: CommandUnknownOpts): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  command.outputHelp();
  return text;
}

const program = createProgram();
const commands = program.commands
  .filter((one) => NAMES.includes(one.name()))
  .flatMap((one) => [one, ...one.commands]);

/** The command that the words name, and the words after its name. */
function follow(
  words: string[],
  from: CommandUnknownOpts = program,
): [CommandUnknownOpts, string[]] {
  const next = from.commands.find((one) => one.name() === words[0]);
  return next ? follow(words.slice(1), next) : [from, words];
}

test('the help has all local commands', () => {
  expect(commands).toHaveLength(NAMES.length + 4);
});

describe.each(commands.map((command) => ({ name: command.name(), command })))(
  '$name --help',
  ({ command }) => {
    const help = helpOf(command);
    const isGroup = command.commands.length > 0;

    test('describes the command and its options', () => {
      expect(command.description()).not.toBe('');
      if (isGroup) return;
      expect(help).toContain('--json ');
      expect(help.replace(/\s+/g, ' ')).toContain('env: HOOKRELAY_DATA_DIR');
    });

    test('has examples with correct usage', () => {
      const examples = [...help.matchAll(/^ {2}\$ hookrelay (.*?)(?: <.*)?$/gm)];
      expect(examples.length).toBeGreaterThan(0);
      for (const [, example] of examples) {
        const [named, rest] = follow((example as string).replace(/\$\(.*?\)/g, 'x').split(' '));
        expect(isGroup ? named.parent : named, example).toBe(command);
        const { operands, unknown } = named.parseOptions(rest);
        expect(unknown, example).toEqual([]);
        const needed = named.registeredArguments.filter(({ required }) => required);
        expect(operands.length, example).toBeGreaterThanOrEqual(needed.length);
        expect(operands.length, example).toBeLessThanOrEqual(named.registeredArguments.length);
      }
    });
  },
);
