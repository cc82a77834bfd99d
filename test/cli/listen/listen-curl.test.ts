import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { curlCommand } from '../../../src/cli/listen/views/curl-command.ts';
import type { AttemptRequest } from '../../../src/delivery/transports/webhook/attempt.ts';
import { tempDir } from '../../fixtures/running-server.ts';
import { controlsIn } from '../live-command.ts';

let bin = '';

/**
 * A shell that shows what its commands receive: `curl` prints its arguments and its
 * stdin as JSON.
 */
beforeAll(() => {
  let remove = () => {};
  bin = tempDir((end) => {
    remove = end;
  });
  const program = (name: string, source: string) => {
    writeFileSync(join(bin, name), `#!${process.execPath}\n${source}`);
    chmodSync(join(bin, name), 0o700);
  };
  program(
    'curl',
    `const args = process.argv.slice(2);
     const stdin = args.includes('@-') ? require('fs').readFileSync(0, 'utf8') : null;
     console.log(JSON.stringify({ args, stdin }))`,
  );
  program('hookrelay', 'console.log(process.argv.slice(2).join(" "))');
  return () => remove();
});

function request(change: Partial<AttemptRequest> = {}): AttemptRequest {
  return {
    origin: 'http://localhost:3000',
    path: '/',
    method: 'POST',
    headers: [],
    body: Buffer.from('{}'),
    ...change,
  };
}

function run(change: Partial<AttemptRequest>): { args: string[]; stdin: string | null } {
  const command = curlCommand(request(change), 'evt_1');
  expect(controlsIn(command)).toBeNull();
  const text = execFileSync('/bin/sh', ['-c', command], { env: { PATH: bin }, encoding: 'utf8' });
  return JSON.parse(text);
}

const NO_TYPE = ['-H', 'content-type:'];
const URL_ARG = 'http://localhost:3000/';

describe('the command, read by a shell', () => {
  test.each<[string, Partial<AttemptRequest>, string[]]>([
    ['a POST', {}, [URL_ARG, ...NO_TYPE, '--data-raw', '{}']],
    ['a GET', { method: 'GET', body: Buffer.alloc(0) }, [URL_ARG]],
    ['a HEAD', { method: 'HEAD', body: Buffer.alloc(0) }, ['--head', URL_ARG]],
    ['a DELETE', { method: 'DELETE', body: Buffer.alloc(0) }, ['-X', 'DELETE', URL_ARG]],
    [
      'a GET with a body',
      { method: 'GET' },
      ['-X', 'GET', URL_ARG, ...NO_TYPE, '--data-raw', '{}'],
    ],
    [
      'headers as they came, duplicates and empty ones too',
      { headers: ['X-A', '1', 'x-a', "it's", 'X-Empty', '', 'Content-Type', 'a/b'] },
      [
        ...[URL_ARG, '-H', 'X-A: 1', '-H', "x-a: it's", '-H', 'X-Empty;'],
        ...['-H', 'Content-Type: a/b', '--data-raw', '{}'],
      ],
    ],
    [
      'a body that a shell would love to run',
      { body: Buffer.from(`'; rm -rf / #"$(id)\`id\`\\\n\t!$HOME`) },
      [URL_ARG, ...NO_TYPE, '--data-raw', `'; rm -rf / #"$(id)\`id\`\\\n\t!$HOME`],
    ],
    [
      'a body that curl would take for a file name',
      { body: Buffer.from('@/etc/passwd') },
      [URL_ARG, ...NO_TYPE, '--data-raw', '@/etc/passwd'],
    ],
    [
      'a path with what curl would expand or tidy',
      { path: "/a/../{b,c}/[1-9]?x='$(id)'", body: Buffer.alloc(0) },
      ['--globoff', '--path-as-is', "http://localhost:3000/a/../{b,c}/[1-9]?x='$(id)'"],
    ],
  ])('%s', (_name, change, args) => {
    const expected = change.path?.startsWith('/a/') ? ['-X', 'POST', ...args] : args;
    expect(run(change)).toEqual({ args: expected, stdin: null });
  });

  test.each<[string, Buffer]>([
    ['binary', Buffer.from([0xff, 0xfe, 0])],
    ['an escape sequence', Buffer.from('\x1b[2J')],
    ['a C1 control', Buffer.from('\u009b2J')],
    ['marks that turn text around', Buffer.from('\u202e')],
    ['much', Buffer.alloc(9000, 'x')],
  ])('fetches a body that is %s by hookrelay events raw', (_name, body) => {
    expect(run({ body })).toEqual({
      args: [URL_ARG, ...NO_TYPE, '--data-binary', '@-'],
      stdin: 'events raw evt_1\n',
    });
  });

  test('leaves out a header with a C1 control', () => {
    const { args } = run({ headers: ['x-a', '\u009b2J', 'x-b', 'é'] });
    expect(args).toEqual([URL_ARG, '-H', 'x-b: é', ...NO_TYPE, '--data-raw', '{}']);
  });
});
