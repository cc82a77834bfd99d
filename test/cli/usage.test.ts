import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { hookrelay } from './command-line.ts';

const EVENT = 'evt_01m7ygcr1yfhe9cka3efzhr7er';

/** Flags of `replay` that need event ids, a bulk replay, or --to. */
function replayCases(): [string[], string][] {
  return [
    [['replay', EVENT, '--dry-run'], 'filters cannot be used with event ids'],
    [
      ['replay', EVENT, '--to', '3000', '--status', 'failed'],
      'filters cannot be used with event ids',
    ],
    [['replay', EVENT, '--verbose'], '--verbose needs --to'],
    [['replay', EVENT, '--to', 'nonsense'], '--to: Expected a port, a /path, or a URL'],
    [['replay', EVENT, '--to', '3000', '--secret', 'whsec_mistyped!'], '--secret must be whsec_'],
    [['replay', EVENT, '--to', '3000', '--to-url', 'https://x.example'], 'exclude each other'],
    [['replay', EVENT, '--destination', 'a', '--to-url', 'https://x.example'], 'exclude'],
    [['replay', '--endpoint', 'x', '--to-url', 'https://x.example'], '--to-url needs event ids'],
    [['replay', '--endpoint', 'x', '--timeout', '5s'], '--timeout needs event ids'],
    [['replay', '--endpoint', 'x', '--to', 'yesterday', '--yes'], '--to: Expected a time such as'],
    [['replay', '--endpoint', 'x', '--destination', 'a', '--filtered-by', 'b'], 'exclude'],
  ];
}

test('wrong usage exits 2 and names the right usage', async () => {
  const shell = { home: tempDir(), url: 'http://127.0.0.1:1', token: 'hr_x' };
  const cases: [string[], string][] = [
    [['endpoint', 'list'], '(Did you mean endpoints?)'],
    [['endpoints', 'lst'], '(Did you mean list?)'],
    [['endpoints', 'get'], "missing required argument 'endpoint'"],
    [['events', 'list', '--version'], "unknown option '--version'"],
    [['events', 'list', '--where', ''], 'Expected some text.'],
    [['events', 'list', 'x', '--stauts', 'failed'], '(Did you mean --status?)'],
    [['events', 'list', 'x', '--status', 'dead'], 'received, delivered, failed, dead_letter'],
    [['events', 'list', 'x', '--from', 'yesterday'], 'Expected a time such as'],
    [['events', 'list', 'x', '--limit', '1001'], 'Expected a whole number from 1 to 1000.'],
    [['events', 'search', 'x', ''], 'there is no text to find'],
    [['listen', '--secret', ''], 'Expected some text.'],
    [['events', 'get', 'ep_01m7ygbxg6f05t2s2n7pfte48w'], 'Expected the id of an event'],
    [
      ['whoami', '--url', 'localhost:8484'],
      "Expected the server's URL, such as http://127.0.0.1:8484.",
    ],
    [['whoami', '--profile', '../x'], 'cannot be the name of a profile'],
    [
      ['ai', 'handler', 'evt_01m7ygcr1yfhe9cka3efzhr7er'],
      "required option '--language <language>'",
    ],
    [['listen', '--secret', 'whsec_mistyped!'], '--secret must be whsec_ and standard base64'],
    [['endpoints'], 'Usage: hookrelay endpoints'],
    [['destinations', 'add', 'orders'], "hookrelay: missing required argument 'url'\n"],
    ...['get', 'edit', 'pause', 'resume', 'rotate-secret', 'probe', 'discard'].map(
      (name): [string[], string] => [
        ['destinations', name, 'orders'],
        "hookrelay: missing required argument 'destination'\n",
      ],
    ),
    [['destinations', 'edit', 'x', 'y', '--rate', '10'], 'Expected a rate such as 10/second'],
    [['destinations', 'edit', 'x', 'y', '--no-breaker'], 'hint: --breaker off turns it off'],
    [['destinations', 'edit', 'x', 'y', '--header', 'mistyped'], "expected 'name: value'"],
    [
      ['destinations', 'edit', 'x', 'y', '--header-file', '-', '--secret-stdin'],
      '--header-file - and --secret-stdin both read stdin',
    ],
    [
      ['destinations', 'edit', 'x', 'y', '--retry-schedule', '5s', '--retry-base', '1s'],
      "'--retry-schedule <durations>' cannot be used with option '--retry-base <duration>'",
    ],
    [['destinations', 'discard', 'x', 'y'], 'hint: add --yes to cancel without a question'],
    ...replayCases(),
    [['replays', 'get', 'x', '../y'], 'Expected the id of a bulk replay, such as job_01kxyz.'],
    [['events', 'delete', EVENT], 'hint: add --yes to delete without a question'],
    [['events', 'edit', EVENT, '--header', 'mistyped'], "--header: expected 'name: value'"],
    [
      ['events', 'edit', EVENT, '--header', 'x-a: 1', '--header', 'X-A:'],
      '--header sets and removes x-a',
    ],
    [
      ['events', 'edit', EVENT, '--body', '{}', '--body-file', 'x'],
      "'--body <text>' cannot be used with option '--body-file <file>'",
    ],
    [['endpoints', 'edit', 'x', '--retention', 'long'], 'Expected a duration such as 12h or 30d.'],
    [['endpoints', 'edit', 'x'], 'hookrelay: there is nothing to change\n'],
    [
      ['endpoints', 'edit', 'x', '--no-response', '--response-body', 'y'],
      '--no-response excludes the other',
    ],
    [
      ['deliveries', 'list', 'x', '--state', 'open'],
      'pending, succeeded, dead, cancelled, filtered',
    ],
    [['deliveries', 'get', 'evt_01m7ygcr1yfhe9cka3efzhr7er'], 'Expected the id of a delivery'],
    [['deliveries', 'retry', '../x'], 'Expected the id of a delivery, such as dlv_01kxyz.'],
    [
      ['events', 'raw', 'dlv_01m7ygcr1yfhe9cka3efzhr7er'],
      'Expected the id of an event or an attempt',
    ],
    [['destinations', 'remove', 'orders'], "hookrelay: missing required argument 'destination'\n"],
    [
      ['destinations', 'add', 'my orders', '--url', 'https://example.com/hooks'],
      'hookrelay: --url names the server, and the destination is missing\n' +
        "  hint: hookrelay destinations add 'my orders' https://example.com/hooks\n",
    ],
    [
      ['destinations', 'remove', 'orders', '--url', 'https://example.com/hooks'],
      'hint: hookrelay destinations remove orders https://example.com/hooks\n',
    ],
    [
      ['destinations', 'update', 'orders', 'billing', '--url', 'https://example.com/hooks'],
      'hookrelay: there is nothing to change\n  hint: --new-url, --secret or a setting; see --help\n',
    ],
  ];
  const outcomes = await Promise.all(cases.map(([args]) => hookrelay(shell, args)));
  for (const [i, outcome] of outcomes.entries()) {
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(cases[i]?.[1]);
    expect(outcome.stderr).not.toContain('mistyped');
  }
});

/** The output of `--help`, including examples. */
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

const GROUPS = [
  ...['endpoints', 'destinations', 'rules', 'events', 'deliveries', 'replay', 'replays', 'tokens'],
  'ai',
];
const SINGLE = ['register', 'login', 'logout', 'whoami'];

test('every command has help whose examples are correct', () => {
  const program = createProgram();
  const ours = program.commands.filter((one) => [...GROUPS, ...SINGLE].includes(one.name()));
  expect(ours).toHaveLength(GROUPS.length + SINGLE.length);
  for (const command of ours.flatMap((one) => [one, ...one.commands])) {
    const help = helpOf(command);
    const path = command.parent === program ? '' : `${command.parent?.name()} `;
    const examples = [...help.matchAll(/^ {2}\$ .*?hookrelay (.*)$/gm)].map((match) => match[1]);
    expect(examples.length, help).toBeGreaterThan(0);
    expect(command.description(), path).not.toBe('');
    for (const example of examples as string[]) {
      expect(example).toMatch(new RegExp(`^${path}${command.name()}\\b`));
    }
    if (command.commands.length > 0) continue;
    const flags = examples.join().match(/--[a-z-]+/g) ?? [];
    for (const flag of flags) expect(help).toContain(`${flag} `);
    expect(help).toContain('--json ');
    expect(help).toContain('HOOKRELAY_URL');
    expect(help).toContain('HOOKRELAY_PROFILE');
  }
});
