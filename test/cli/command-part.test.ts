import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { remote, withRemote } from '../../src/cli/client/remote-command.ts';
import { commandPart, type FlagsOf } from '../../src/cli/command-part.ts';
import { withDestination } from '../../src/cli/destinations/required-destination.ts';

const addPart = commandPart((command) =>
  command.argument('[destination]').option('--limit <number>', 'most', Number),
);

// tsc checks this file: each wrong action must not compile.
test('a command keeps the types of its own arguments and flags, and of its parts', async () => {
  const seen: unknown[] = [];
  const command = addPart(new Command().argument('<endpoint>').option('--yes'));
  command.action((endpoint, destination, { yes, limit }) => {
    const given: [string, string | undefined, true | undefined, number | undefined] = [
      endpoint,
      destination,
      yes,
      limit,
    ];
    seen.push(...given);
  });
  await command.parseAsync(['a', 'b', '--limit', '2'], { from: 'user' });
  expect(seen).toEqual(['a', 'b', undefined, 2]);

  const note = (value: unknown): void => void seen.push(value);
  const { action } = remote(command, 'x');
  const named = async (_: unknown, a: string, flags: { sure?: true }) => note([a, flags]);
  withoutRunning(() => action(withRemote(async (_, a, b, { yes }) => note([a, b, yes]))));
  // @ts-expect-error the command has no flag --yess
  withoutRunning(() => action(withRemote(async (_, _a, _b, { yess }) => note(yess))));
  // @ts-expect-error the destination may be absent
  withoutRunning(() => action(withRemote(async (_, _a, b: string) => note(b))));
  // @ts-expect-error the second argument isn't the flags
  withoutRunning(() => action(withRemote(named)));
  withoutRunning(() =>
    // @ts-expect-error the command has no flag --yess
    action(withDestination(withRemote(async (_, _a, _b, { yess }) => note(yess)))),
  );
  // @ts-expect-error the part has no flag --limits
  const flags: FlagsOf<typeof addPart> = { limits: 2 };
  note(flags);
});

function withoutRunning(_: () => unknown): void {}
