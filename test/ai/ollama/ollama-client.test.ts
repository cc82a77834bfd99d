import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import { OllamaClient, withoutFence } from '../../../src/ai/ollama/ollama-client.ts';
import { OllamaStatus } from '../../../src/ai/ollama/ollama-status.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ManualClock } from '../../fixtures/manual-clock.ts';
import { ollamaServer, type Turn } from '../../fixtures/ollama-server.ts';
import { httpReceiver } from '../../fixtures/receiver.ts';
import { until } from '../../fixtures/until.ts';

failOnLeaks();

const MODEL = 'gemma3:4b';
const SHAPE = v.object({ text: v.string(), steps: v.array(v.string()) });
const ANSWER = { text: 'fine\nand “good”', steps: ['one', 'two'] };
const QUESTION = { system: 'be brief', prompt: 'what is it?' };
const NEVER = new AbortController().signal;

const consoles = (['log', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
afterEach(() => {
  // The package prints unreadable answers, which may contain a payload.
  for (const spy of consoles) expect(spy).not.toHaveBeenCalled();
});

async function ask(turn: Turn, { deadlineMs = 5000, signal = NEVER, model = MODEL } = {}) {
  const server = await ollamaServer(turn);
  const client = new OllamaClient({ url: server.url, model, deadlineMs });
  return { server, answer: client.ask(QUESTION, SHAPE, signal) };
}

test('asks by the protocol and returns the answer', async () => {
  const { server, answer } = await ask({ says: JSON.stringify(ANSWER) });
  expect(await answer).toEqual(ANSWER);
  const [chat] = server.chats;
  expect(chat).toMatchObject({
    model: MODEL,
    stream: true,
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'what is it?' },
    ],
    format: { type: 'object', required: ['text', 'steps'] },
  });
  expect(chat?.options?.num_predict).toBeGreaterThan(0);
  expect(server.abandoned).toBe(0);
});

test('an answer in a code fence is accepted', async () => {
  const { answer } = await ask({ says: `\`\`\`json\n${JSON.stringify(ANSWER)}\n\`\`\`\n` });
  expect(await answer).toEqual(ANSWER);
  expect(withoutFence('```\nx\n```')).toBe('x');
  expect(withoutFence('a ``` b')).toBe('a ``` b');
});

const FAILURES: [string, Turn, failure: string, message: string][] = [
  [
    'an error of its own',
    {
      status: 500,
      error: 'model requires more system memory (8.1 GiB) than is available (7.3 GiB)',
    },
    'failed',
    'more system memory',
  ],
  [
    'a full queue',
    { status: 503, error: 'server busy, please try again.  maximum pending requests exceeded' },
    'busy',
    'server busy',
  ],
  [
    'an error in mid-stream',
    { says: '{"te', thenError: 'an error was encountered while running the model: unexpected EOF' },
    'failed',
    'unexpected EOF',
  ],
  ['a cut connection', { says: '{"te', thenCut: true }, 'failed', 'broke off'],
  ['a stream without its end', { lines: [] }, 'failed', 'broke off'],
  ['lines that are no JSON', { lines: ['<html>secret payload</html>'] }, 'malformed', 'not JSON'],
  ['lines that are no objects', { lines: ['null'] }, 'malformed', 'not JSON'],
  ['an answer that is no JSON', { says: 'It is fine.' }, 'malformed', 'not JSON'],
  [
    'an answer that was cut',
    { says: '{"text": "fi', doneReason: 'length' },
    'malformed',
    'not JSON',
  ],
  ['an answer of another shape', { says: '{"text": 1, "steps": []}' }, 'malformed', 'does not fit'],
  ['an answer that does not end', { drips: 'x'.repeat(8000) }, 'malformed', 'does not end'],
  ['a line that does not end', { lines: [`"${'x'.repeat(300_000)}`] }, 'malformed', ''],
];

test.each(FAILURES)('%s is named', async (_, turn, failure, message) => {
  const { server, answer } = await ask(turn);
  await expect(answer).rejects.toMatchObject({ name: 'OllamaError', failure });
  await expect(answer).rejects.toThrow(message);
  await server.close();
});

test('a missing model is an error by name', async () => {
  const { answer } = await ask({ says: '' }, { model: 'other:1b' });
  await expect(answer).rejects.toMatchObject({ failure: 'model_missing' });
});

test('no server at the address is an error by name', async () => {
  const { server, answer } = await ask({ says: JSON.stringify(ANSWER) });
  await answer;
  await server.close();
  const client = new OllamaClient({ url: server.url, model: MODEL, deadlineMs: 5000 });
  await expect(client.ask(QUESTION, SHAPE, NEVER)).rejects.toMatchObject({
    failure: 'unreachable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('a server that is not Ollama is an error by name', async () => {
  const page = await httpReceiver((_, res) => {
    res
      .writeHead(404, { 'content-type': 'text/html', connection: 'close' })
      .end('<p>no'.repeat(1e5));
  });
  const client = new OllamaClient({ url: page.url, model: MODEL, deadlineMs: 5000 });
  await expect(client.ask(QUESTION, SHAPE, NEVER)).rejects.toMatchObject({
    failure: 'failed',
    message: 'status 404',
  });
  await expect(client.hasModel()).rejects.toMatchObject({ failure: 'failed' });
});

test('a redirect is not followed', async () => {
  const elsewhere = await ollamaServer({ says: JSON.stringify(ANSWER) });
  const redirect = await httpReceiver((_, res) => {
    res.writeHead(307, { location: `${elsewhere.url}/api/chat`, connection: 'close' }).end();
  });
  const client = new OllamaClient({ url: redirect.url, model: MODEL, deadlineMs: 5000 });
  await expect(client.ask(QUESTION, SHAPE, NEVER)).rejects.toMatchObject({
    failure: 'unreachable',
  });
  expect(elsewhere.chats).toEqual([]);
});

test.each<[string, Turn]>([
  ['hangs', { hangs: true }],
  ['drips', { drips: ' ' }],
])('a server that %s is dropped at the deadline, and the error says so', async (_, turn) => {
  const { server, answer } = await ask(turn, { deadlineMs: 100 });
  await expect(answer).rejects.toMatchObject({ failure: 'timeout' });
  await until('the connection is closed', () => server.abandoned === 1);
});

test.each<[string, Turn]>([
  ['before the first line', { hangs: true }],
  ['in mid-stream', { drips: ' ' }],
])('a caller that leaves %s ends the request', async (_, turn) => {
  const left = new AbortController();
  const { server, answer } = await ask(turn, { signal: left.signal });
  const rejected = expect(answer).rejects.toThrow('the client left');
  await server.chatted(1);
  left.abort(new Error('the client left'));
  await rejected;
  await until('the connection is closed', () => server.abandoned === 1);
});

test('the client knows its models, with and without :latest', async () => {
  const { url } = await ollamaServer({ says: '' }, ['gemma3:4b', 'llama3:latest']);
  const has = (model: string) => new OllamaClient({ url, model, deadlineMs: 1 }).hasModel();
  expect(await has('gemma3:4b')).toBe(true);
  expect(await has('llama3')).toBe(true);
  expect(await has('gemma3')).toBe(false);
});

test('callers share one look-up of the state, and a stale state is refreshed in the background', async () => {
  const server = await ollamaServer({ says: '' });
  const clock = new ManualClock();
  const client = new OllamaClient({ url: server.url, model: MODEL, deadlineMs: 1 });
  const status = new OllamaStatus(client, clock);
  expect(await Promise.all([status.state(), status.state(), status.state()])).toEqual(
    Array(3).fill('ready'),
  );
  expect(server.lists).toBe(1);
  server.models = [];
  expect(await status.state()).toBe('ready');
  expect(server.lists).toBe(1);
  clock.advance(10_001);
  // Stale, but nobody waits.
  expect(await status.state()).toBe('ready');
  await until('it is looked up', async () => (await status.state()) === 'model_missing');
  expect(server.lists).toBe(2);
  await server.close();
  clock.advance(10_001);
  await status.state();
  await until('it is gone', async () => (await status.state()) === 'unreachable');
});

test('an Ollama that hangs delays only the first caller, and briefly', async () => {
  const client = { hasModel: () => new Promise<boolean>(() => {}) };
  const status = new OllamaStatus(client, { monotonic: () => performance.now() });
  const started = performance.now();
  expect(await status.state()).toBe('unreachable');
  expect(performance.now() - started).toBeLessThan(2000);
});
