import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_EDIT_BYTES } from '../../../src/core/limits.ts';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { serverOfFile, tempDir } from '../../fixtures/running-server.ts';
import { accountShell, hookrelay, Terminal } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

const COPY = /^(evt_\w+)\n$/;

async function setup(body: string | Buffer = '{"amount": 1.0}') {
  const { run, shell, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const headers = { 'content-type': 'application/json', 'x-old': 'a', 'x-kept': 'b' };
  const id = await capture(`${endpoint.capture_url}/push?a=1`, body, { headers });
  const count = async () => (await run('events', 'list', 'orders', '--json')).json.total as number;
  return { run, shell, account, endpoint, id, count };
}

test('flags make an edited copy', async () => {
  const { run, id } = await setup();
  const changes = [
    '--method',
    'put',
    '--path',
    '/v2',
    '--query',
    '?b=2',
    '--body',
    '{"amount": 2.0}',
  ];
  const headers = ['--header', 'X-Old:', '--header', 'x-new: 1', '--header', 'x-new: 2'];
  const edited = await run('events', 'edit', id, ...changes, ...headers);
  const copy = COPY.exec(edited.stdout)?.[1] as string;
  expect(edited).toMatchObject({
    code: 0,
    stderr: `The copy goes nowhere: hookrelay events get ${copy}\n`,
  });
  const { json } = await run('events', 'get', copy, '--json');
  expect(json).toMatchObject({ method: 'PUT', path: '/v2', query: 'b=2', edited_from: id });
  const names = json.raw_headers.map(([name, value]: [string, string]) => `${name}: ${value}`);
  expect(names).toEqual(expect.arrayContaining(['x-kept: b', 'x-new: 1', 'x-new: 2']));
  expect(names.join().toLowerCase()).not.toContain('x-old');
  expect((await run('events', 'raw', copy)).stdout).toBe('{"amount": 2.0}');
  expect((await run('events', 'get', copy)).stdout).toMatch(new RegExp(`^copy of: +${id}$`, 'm'));
  expect((await run('events', 'get', id, '--json')).json).toMatchObject({ edited_from: null });
});

test('a copy says where it goes; --to chooses', async () => {
  const { run, endpoint, account, id, count } = await setup();
  const { url } = await httpReceiver();
  const list = `/api/endpoints/${endpoint.id}/destinations`;
  const settings = { staging: {}, production: { filter: 'method=PUT' } };
  const ids: string[] = [];
  for (const [name, own] of Object.entries(settings)) {
    const { json } = await account.call('POST', list, { url: `${url}/${name}`, name, ...own });
    ids.push(json.id);
  }
  const edited = (...to: string[]) => run('events', 'edit', id, '--body', '{}', ...to);
  const note = (text: string) => expect.stringMatching(`^The copy goes ${text}: hookrelay events`);
  expect((await edited()).stderr).toEqual(note('to staging \\(filters drop it at production\\)'));
  expect((await edited('--to', 'production')).stderr).toEqual(note('to production'));
  const both = await edited('--to', 'production', '--to', `${url}/staging`, '--json');
  expect(both.json.deliveries.map((one: { destination_id: string }) => one.destination_id)).toEqual(
    expect.arrayContaining(ids),
  );
  const before = await count();
  expect(await edited('--to', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no destination "nobody"'),
  });
  expect(await count()).toBe(before);
});

test('a body comes from a file or stdin, byte for byte', async () => {
  const { run, shell, id } = await setup();
  const bytes = Buffer.from([0, 255, 10]);
  const file = join(tempDir(), 'body');
  writeFileSync(file, bytes);
  const copy = COPY.exec((await run('events', 'edit', id, '--body-file', file)).stdout)?.[1];
  expect((await run('events', 'raw', copy as string)).bytes).toEqual(bytes);
  const piped = await hookrelay(shell, ['events', 'edit', id, '--body-file', '-', '--json'], 'é\n');
  expect((await run('events', 'raw', piped.json.id)).stdout).toBe('é\n');
  const missing = await run('events', 'edit', id, '--body-file', `${file}.not`);
  expect(missing.stderr).toBe(`hookrelay: cannot read ${file}.not (ENOENT)\n`);
});

test('an editor opens on the body; nothing is sent without a change', async () => {
  const { run, shell, id, count } = await setup();
  const seen = join(tempDir(), 'seen');
  const edit = (EDITOR: string, visual = '') =>
    hookrelay(shell, ['events', 'edit', id], undefined, {
      EDITOR,
      ...(visual && { VISUAL: visual }),
    });
  const edited = await edit('false', `cp "$1" ${seen}; sed -i s/1.0/2.0/`);
  const copy = COPY.exec(edited.stdout)?.[1] as string;
  expect((await run('events', 'raw', copy)).stdout).toBe('{"amount": 2.0}');
  expect(readFileSync(seen, 'utf8')).toBe('{"amount": 1.0}');

  const unchanged = { code: 0, stdout: '', stderr: 'Nothing changed: nothing is sent.\n' };
  expect(await edit('true')).toMatchObject(unchanged);
  // Editors end the last line.
  expect(await edit("sed -i '$a\\'")).toMatchObject(unchanged);
  const failed = await edit('exit 3;');
  expect(failed).toMatchObject({
    code: 1,
    stderr: 'hookrelay: the editor ended with 3: nothing is sent\n',
  });
  expect((await edit('')).stderr).toContain('hookrelay: no editor is set\n');
  expect(await count()).toBe(2);
});

test('what was typed is kept when the server refuses it', async () => {
  const { run, shell, id } = await setup();
  await run('endpoints', 'pause', 'orders');
  const args = ['events', 'edit', id];
  const refused = await hookrelay(shell, args, undefined, { EDITOR: 'sed -i s/1.0/2.0/' });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  const file = /your text is in (\S+): hookrelay events edit/.exec(refused.stderr)?.[1] as string;
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  expect(readFileSync(file, 'utf8')).toBe('{"amount": 2.0}');
});

test('a larger body than a copy may have is refused before an editor opens and before it is sent', async () => {
  const most = ((MAX_EDIT_BYTES - 64 * 1024) / 4) * 3;
  const { run, shell, id, count } = await setup('x'.repeat(most + 1));
  const wayOut = `as it came: hookrelay trigger --from-event ${id} --to ENDPOINT`;
  const tooLarge = 'the body is too large for a copy: 720.0 KB, at most 720.0 KB';
  const opened = join(tempDir(), 'opened');
  const edit = (EDITOR: string, ...args: string[]) =>
    hookrelay(shell, ['events', 'edit', id, ...args], 'x'.repeat(most + 1), { EDITOR });
  const file = join(tempDir(), 'a body');
  writeFileSync(file, 'x'.repeat(most + 1));
  for (const [args, source] of [
    [[], 'FILE'],
    [['--body-file', file], `'${file}'`],
    [['--body-file', '-'], 'FILE'],
  ] as const) {
    const refused = await edit(`touch ${opened};`, ...args);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(tooLarge);
    expect(refused.stderr).toContain(`--data-binary @${source} CAPTURE_URL`);
    expect(refused.stderr).toContain(wayOut);
  }
  expect(existsSync(opened)).toBe(false);
  expect(await count()).toBe(1);
  expect((await run('events', 'edit', id, '--header', 'x-new: 1')).code).toBe(0);
  writeFileSync(file, 'x'.repeat(most));
  expect((await run('events', 'edit', id, '--body-file', file)).code).toBe(0);
  expect(await count()).toBe(3);
});

test('a text that became too large in the editor is kept', async () => {
  const { shell, id } = await setup();
  const grow = `head -c 800000 /dev/zero | tr '\\0' x >`;
  const refused = await hookrelay(shell, ['events', 'edit', id], undefined, { EDITOR: grow });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  const file = /--data-binary @(\S+) CAPTURE_URL/.exec(refused.stderr)?.[1] as string;
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  expect(readFileSync(file)).toHaveLength(800_000);
});

test('no editor opens on a body that is not text', async () => {
  const { shell, id } = await setup(Buffer.from([0, 255]));
  const refused = await hookrelay(shell, ['events', 'edit', id], undefined, { EDITOR: 'true' });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('the body is not text');
});

test('events are deleted; a missing one does not stop the others', async () => {
  const { run, shell, endpoint, id, count } = await setup();
  const missing = 'evt_00000000000000000000000000';
  const deleted = await run('events', 'delete', missing, id, '--yes');
  expect(deleted).toMatchObject({ code: 1, stdout: `${id}: deleted\n` });
  expect(deleted.stderr).toBe(
    `${missing}: there is no such event\nhookrelay: 1 event could not be deleted\n`,
  );
  expect(await count()).toBe(0);
  const other = await capture(endpoint.capture_url);
  const no = new Terminal(shell, ['events', 'delete', other]);
  await no.seen('Delete 1 event permanently? [y/N]');
  no.type('\r');
  expect(await no.ended()).toBe(1);
  const json = await run('events', 'delete', other, '--yes', '--json');
  expect(json).toMatchObject({ code: 0, json: { id: other, deleted: true } });
  expect(await count()).toBe(0);
});
