import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';
import { readEvent } from '../../src/dashboard/text/event-answer.ts';
import { toCurl } from '../../src/dashboard/views/event/to-curl.ts';
import { capture, register } from '../fixtures/account.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { serverOfFile } from '../fixtures/running-server.ts';

/* What "Copy as curl" gives is run by a real shell with a real curl, and sends the same again. */

failOnLeaks();
const server = serverOfFile();

/** Through a shell's stdin, where a command may be longer than an argument. */
function paste(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = execFile('bash', ['-s'], (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    shell.stdin?.end(command);
  });
}

/** Headers of the connection, or of this test's client. */
const OWN = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

const CASES: [
  name: string,
  method: string,
  path: string,
  body: Buffer,
  headers: Record<string, string | string[]>,
][] = [
  [
    'JSON',
    'POST',
    '/a?b=1&c=%20',
    Buffer.from('{"it\'s": "$HOME `id` \\\\ !"}'),
    { 'Content-Type': 'application/json', 'X-Case': 'Mixed' },
  ],
  [
    'a body that begins with @',
    'POST',
    '',
    Buffer.from('@/etc/passwd'),
    { 'content-type': 'text/plain' },
  ],
  ['line breaks of every kind', 'PUT', '', Buffer.from('a\nb\r\nc\r\n\n'), {}],
  [
    'binary',
    'POST',
    '',
    Buffer.from([0, 255, 254, 13, 10, 39, 0]),
    { 'content-type': 'application/octet-stream' },
  ],
  [
    'a large text',
    'POST',
    '',
    Buffer.from('é"\''.repeat(60_000)),
    { 'content-type': 'text/plain' },
  ],
  ['no body', 'GET', '/x/../y//z/[1]{2,3}?q=[a]&r={b}', Buffer.alloc(0), { accept: 'text/html' }],
  ['a GET with a body', 'GET', '', Buffer.from('q'), {}],
  ['DELETE without a body', 'DELETE', '/gone', Buffer.alloc(0), {}],
  ['an odd method', 'PURGE', '', Buffer.alloc(0), {}],
  [
    'double, empty and Latin-1 headers',
    'POST',
    '',
    Buffer.from('x'),
    { 'X-Double': ['one', 'two'], 'X-Empty': '', 'X-Latin': 'caf\u00e9 \'"$' },
  ],
];

test.each(CASES)('%s', async (_, method, path, body, headers) => {
  const account = await register(server);
  const endpoint = await account.createEndpoint();
  const eventOf = async (id: string) => {
    const answer = await account.call('GET', `/api/events/${id}`);
    return readEvent(answer.text);
  };
  const original = await eventOf(
    await capture(endpoint.capture_url + path, body, { method, headers }),
  );
  const command = toCurl({
    url: endpoint.capture_url + original.path + (original.query && `?${original.query}`),
    method: original.method,
    rawHeaders: original.raw_headers,
    bytes: original.bytes,
    text: original.text,
  });
  const stdout = await paste(command.replace('curl ', 'curl -sS '));
  const again = await eventOf(JSON.parse(stdout).event_id);
  const told = (event: typeof original) => ({
    method: event.method,
    path: event.path,
    query: event.query,
    headers: event.raw_headers.filter(([name]) => !OWN.has(name.toLowerCase())),
    body: Buffer.from(event.bytes).toString('hex'),
  });
  expect(told(again)).toEqual(told(original));
});
