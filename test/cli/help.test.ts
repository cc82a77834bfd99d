import { readFileSync } from 'node:fs';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { rootCommand } from '../../src/cli/root-command.ts';
import { addServeCommand } from '../../src/cli/serve/serve-command.ts';

/* What `--help` says, of the program and of every command there is. */

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

/** The words after the program's name in every example. */
function examplesIn(help: string): string[] {
  return [...help.matchAll(/^ {2}\$ .*?\bhookrelay (.*)$/gm)].map(([, words]) => words as string);
}

const program = createProgram();

/** The command that the words name, from the program on. */
function named(words: string[], from: CommandUnknownOpts = program): CommandUnknownOpts {
  const next = from.commands.find((command) => command.name() === words[0]);
  return next ? named(words.slice(1), next) : from;
}

const all = (from: CommandUnknownOpts): CommandUnknownOpts[] => [
  from,
  ...from.commands.flatMap(all),
];
const pathOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
const commands = all(program).slice(1);
const leaves = commands.filter((command) => command.commands.length === 0);

test('serve, which starts without the other commands, has the same help as among them', () => {
  const alone = rootCommand();
  addServeCommand(alone);
  expect(helpOf(named(['serve'], alone))).toBe(helpOf(named(['serve'])));
});

describe('hookrelay --help', () => {
  const help = helpOf(program);

  test('has every command, in a group with a heading', () => {
    for (const command of program.commands) {
      expect(command.helpGroup(), command.name()).toMatch(/^[A-Z].*:$/);
      expect(help).toMatch(new RegExp(`^ {2}${command.name()} `, 'm'));
    }
    expect(help).not.toMatch(/^Commands:$/m);
  });

  test('has examples with existing commands and flags', () => {
    const examples = examplesIn(help);
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) {
      const command = named(example.split(' '));
      expect(leaves.map(pathOf), example).toContain(pathOf(command));
      const flags = example.match(/--[a-z-]+/g) ?? [];
      for (const flag of flags) expect(command.options.map(({ long }) => long)).toContain(flag);
    }
  });
});

test('the help of every group describes the help command in our words', () => {
  const groups = commands.filter((command) => command.commands.length > 0);
  expect(groups.length).toBeGreaterThan(5);
  for (const group of groups) {
    expect(helpOf(group), pathOf(group)).toMatch(/^ {2}help \[command\] +print a command's help$/m);
  }
});

test('the test finds commands on every level', () => {
  expect(leaves.length).toBeGreaterThan(30);
  expect(leaves.map(pathOf)).toContain('hookrelay users set-plan');
});

describe.each(commands.map((command) => ({ path: pathOf(command), command })))(
  '$path --help',
  ({ command, path }) => {
    const help = helpOf(command);

    test('has a description', () => {
      expect(command.description()).toMatch(/\w/);
    });

    test('has examples, of this command', () => {
      const examples = examplesIn(help);
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        expect(`hookrelay ${example} `).toContain(`${path} `);
      }
    });

    test('fits 80 columns, except its examples', () => {
      const wide = help.split('\n').filter((line) => line.length > 80 && !line.startsWith('  $ '));
      expect(wide).toEqual([]);
    });

    test('describes each option and argument', () => {
      for (const option of command.options) expect(option.description, option.flags).toMatch(/\w/);
      for (const argument of command.registeredArguments) {
        expect(argument.description, argument.name()).toMatch(/\w/);
      }
    });
  },
);

const isRemote = ({ options }: CommandUnknownOpts) => options.some(({ long }) => long === '--url');
const withoutProgram = (path: string) => path.replace('hookrelay ', '');

/** Each command's own tests cover its `--json` output. */
test('only commands that print the API’s answer as JSON say so', () => {
  const saying = leaves.filter((command) => {
    const json = command.options.find(({ long }) => long === '--json');
    return json?.description.includes('as the API answers it');
  });
  const unsaid = leaves.filter((command) => !saying.includes(command) && isRemote(command));
  expect(unsaid.map(pathOf).map(withoutProgram)).toEqual([
    ...['tail', 'listen', 'trigger', 'register', 'login', 'logout', 'whoami', 'password'],
    ...['tokens revoke', 'channels test', 'channels remove'],
    ...['endpoints delete', 'destinations remove', 'rules set', 'events raw'],
    ...['events delete', 'deliveries get'],
    'deliveries cancel',
  ]);
  expect(saying.map(pathOf).map(withoutProgram)).toContain('events get');
});

test('configuration.md names every variable of an option', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const variables = leaves.flatMap(({ options }) => options.map(({ envVar }) => envVar ?? []));
  expect(variables.flat().length).toBeGreaterThan(20);
  for (const variable of variables.flat()) expect(page).toContain(`\`${variable}\``);
});

test('the help of commands on the data directory says whether a server may run', () => {
  const inGroup = (heading: string) =>
    program.commands.filter((one) => one.helpGroup() === heading).map((one) => one.name());
  expect(inGroup('On the data directory, beside a running server:')).toEqual([
    ...['users', 'backup', 'doctor', 'prune'],
  ]);
  expect(inGroup('On the data directory, while no server runs:')).toEqual([
    ...['restore', 'reindex', 'rekey', 'migrate'],
  ]);
});

test('backup offers no database that it refuses', () => {
  for (const name of ['backup']) {
    const help = helpOf(named([name]));
    expect(help).not.toContain('--database');
    expect(help).toContain('PostgreSQL has its own');
  }
});
