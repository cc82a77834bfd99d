import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { addHeaderChangeFlags, chosenHeaders } from '../../../src/cli/destinations/header-flags.ts';
import { tempDir } from '../../fixtures/running-server.ts';

function chosen(...args: string[]): ReturnType<typeof chosenHeaders> {
  return chosenHeaders(addHeaderChangeFlags(new Command()).parse(args, { from: 'user' }).opts());
}

function fileOf(text: string): string {
  const file = join(tempDir(), 'headers.txt');
  writeFileSync(file, text);
  return file;
}

test('headers come from flags and from a file', async () => {
  expect(await chosen()).toBeUndefined();
  expect(
    await chosen('--header', 'Authorization:  Bearer a:b ', '--header', 'x-team:billing'),
  ).toEqual({
    Authorization: 'Bearer a:b',
    'x-team': 'billing',
  });
  const file = fileOf('authorization: Bearer secret\r\n\n  x-team : billing\n');
  expect(await chosen('--header-file', file, '--header', 'x-more: 1')).toEqual({
    'x-more': '1',
    authorization: 'Bearer secret',
    'x-team': 'billing',
  });
});

test('headers are removed, one or all', async () => {
  expect(await chosen('--remove-header', 'X-Team', '--header', 'x-more: 1')).toEqual({
    'x-more': '1',
    'X-Team': null,
  });
  expect(await chosen('--no-headers')).toBeNull();
});

test('bad headers are refused, and no value is in a message', async () => {
  const refused: [string[], string][] = [
    [['--header', 'hunter2'], "--header: expected 'name: value'"],
    [['--header', ': hunter2'], "--header: expected 'name: value'"],
    [['--header', 'two words: hunter2'], "--header: expected 'name: value'"],
    [['--header-file', fileOf('a: 1\nhunter2\n')], "--header-file, line 2: expected 'name: value'"],
    [['--header-file', fileOf('\n')], '--header-file has no header'],
    [['--header-file', '/nowhere/at/all'], 'cannot read /nowhere/at/all (ENOENT)'],
    [['--header', 'a: hunter2', '--header', 'A: hunter2'], 'the header A is given twice'],
    [['--header', 'a: hunter2', '--remove-header', 'a'], 'the header a is given twice'],
    [['--remove-header', 'a: hunter2'], '--remove-header takes a name'],
    [['--no-headers', '--header', 'a: hunter2'], '--no-headers excludes the other'],
  ];
  for (const [args, message] of refused) {
    const error = await chosen(...args).then(
      () => new Error('taken'),
      (error: Error) => error,
    );
    expect(error.message).toContain(message);
    expect(error.message).not.toContain('hunter2');
  }
});
