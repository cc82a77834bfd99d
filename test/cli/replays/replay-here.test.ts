import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { capture } from '../../fixtures/account.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { httpReceiver, status } from '../../fixtures/receiver.ts';
import { serverOfFile } from '../../fixtures/running-server.ts';
import { accountShell } from '../command-line.ts';

failOnLeaks();
const server = serverOfFile();

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

async function setup() {
  const { run, account } = await accountShell(server);
  const endpoint = await account.createEndpoint({ name: 'orders' });
  const target = await httpReceiver(status(202, { 'x-answer': 'yes' }));
  return { run, account, endpoint, target, port: new URL(target.url).port };
}

test('an event is sent as listen forwards it, and nothing changes on the server', async () => {
  const { run, endpoint, target, port } = await setup();
  const body = '{"n": 1.0}';
  const id = await capture(`${endpoint.capture_url}/push?a=1`, body, {
    headers: { 'x-custom': 'kept', 'webhook-id': 'theirs' },
  });
  const before = await run('events', 'get', id, '--json');
  const sent = await run('replay', id, '--to', `${port}/hooks`, '--secret', SECRET);
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  expect(sent.stdout).toMatch(
    new RegExp(`^POST /push → :${port}/hooks 202 \\(\\d+ ms\\) {2}${id}\n$`),
  );
  const [request] = await target.received(1);
  expect(request).toMatchObject({ method: 'POST', target: '/hooks/push?a=1' });
  expect(request?.headers).toMatchObject({
    'x-custom': 'kept',
    'webhook-id': id,
    'x-hookrelay-trigger': 'replay',
  });
  const headers = request?.headers as Record<string, string>;
  expect(new Webhook(SECRET).verify(body, headers)).toEqual({ n: 1 });
  expect((await run('events', 'get', id, '--json')).stdout).toBe(before.stdout);
});

test('the answer is shown, whole where that is asked for', async () => {
  const { run, endpoint, target } = await setup();
  const [first, second] = [
    await capture(endpoint.capture_url, '{}'),
    await capture(endpoint.capture_url, '{}'),
  ];
  const verbose = await run('replay', first, '--to', target.url, '--verbose');
  expect(verbose.stdout).toMatch(/^ {2}x-answer: yes$/m);
  expect(verbose.stdout).toMatch(/\n\n {2}status 202\n$/);
  const json = await run('replay', first, second, first, '--to', target.url, '--json');
  expect(json.lines).toMatchObject([
    { type: 'forwarded', event_id: first, target: `${target.url}/`, trigger: 'replay' },
    { event_id: second, response_code: 202, response_body: 'status 202', error: null },
  ]);
  expect(json.lines[0].response_headers).toContainEqual(['x-answer', 'yes']);
});

test('a target that does not take an event makes the exit code 1', async () => {
  const { run, endpoint, target } = await setup();
  const id = await capture(endpoint.capture_url, '{}');
  target.respond = status(500);
  const refused = await run('replay', id, '--to', target.url);
  expect(refused).toMatchObject({
    code: 1,
    stderr: `hookrelay: ${target.url}/ did not take 1 event\n`,
  });
  expect(refused.stdout).toContain(' 500 (');

  const missing = 'evt_00000000000000000000000000';
  const nobody = await run('replay', missing, id, '--to', 'http://127.0.0.1:9');
  expect(nobody.code).toBe(1);
  expect(nobody.stdout).toContain('connect_refused');
  expect(nobody.stderr).toContain(`${missing}: there is no such event\n`);
  expect(nobody.stderr).toContain(
    'hookrelay: http://127.0.0.1:9/ did not take 1 event, 1 event could not be found\n' +
      '  hint: is something listening there?\n',
  );
  const alone = await run('replay', missing, '--to', target.url);
  expect(alone).toMatchObject({ code: 1, stderr: 'hookrelay: there is no such event\n' });
});
