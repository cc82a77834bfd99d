import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AiEvent } from '../../../src/ai/event-input.ts';
import {
  type GeneratedHandler,
  generateHandler,
} from '../../../src/ai/handler/generate-handler.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { storedShape } from '../../../src/core/shapes/stored-shape.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability } from '../../fixtures/machine.ts';
import { until } from '../../fixtures/until.ts';
import { capturedEvent, composed, jsonEvent, sampleEvents } from '../ai-events.ts';
import { githubExamples } from '../github-examples.ts';
import { shapeOf } from '../learned/shapes.ts';
import { BODIES, contentTypeOf, describeHandlers, SCHEMES } from './handler-conformance.ts';
import {
  FILES,
  ginServer,
  ginVersion,
  go,
  type HandlerServer,
  startGoModule,
} from './handler-servers.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const hasGin = ability('gin in the module cache of Go', ginVersion() !== null, false);

/* What Go's compiler makes of all handlers; the same cases for Node are in node-handlers.test.ts. */
describe.skipIf(!hasGin)('Go for gin', () => {
  describeHandlers('go', 'gin', ginServer);
});

const types = new TypeGenerator();
afterAll(() => types.close());

const generated = (event: AiEvent, learned: Uint8Array | null = null) =>
  generateHandler(event, { language: 'go', framework: 'gin' }, { types, learned });

describe.skipIf(!hasGin)('a test of Go for gin', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hookrelay-go-tests-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function write(module: string, name: string, { code, test }: GeneratedHandler): void {
    const at = join(dir, module, name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'webhooks.go'), code);
    writeFileSync(join(at, 'webhooks_test.go'), test);
  }

  /** What `go test` prints. It fails where a test fails, and that is printed too. */
  function goTest(module: string): string {
    startGoModule(join(dir, module));
    try {
      go(join(dir, module), 'test', './...');
      return '';
    } catch (error) {
      return String((error as { stdout: Buffer }).stdout) || String(error);
    }
  }

  const schemes = Object.entries(SCHEMES).map(([name, { sample }]) => {
    const { headers, body } = composed(sample);
    return { name, event: capturedEvent(headers, body) };
  });

  test('passes beside its handler', async () => {
    const bodies = Object.entries(BODIES).map(([name, body]) => ({
      name,
      event: capturedEvent(['content-type', contentTypeOf(name)], body),
    }));
    const odd = [
      { name: 'astral', event: jsonEvent('{"text":"\u{1f600} \u2028\u202e\\n é","a":[]}') },
      { name: 'bytes', event: capturedEvent([], Buffer.of(0xff, 0xfe, 0, 0x22)) },
      { name: 'nothing_at_all', event: capturedEvent([], '') },
      { name: 'text', event: capturedEvent([], 'no "JSON"\r\n\u0000') },
    ];
    for (const { name, event } of [...schemes, ...bodies, ...odd]) {
      write('good', name, await generated(event));
    }
    const large = jsonEvent(JSON.stringify({ text: 'x'.repeat(70_000) }));
    write('good', 'large', await generated(large));
    writeFileSync(join(dir, 'good', 'large', 'webhooks.sample'), large.body);
    expect(goTest('good')).toBe('');
  }, 300_000);

  test.each([
    {
      ...{ module: 'unverified', from: 'if !isAuthentic(c.Request.Header, body) {' },
      to: 'if false {',
      cases: ['signed_with_another_secret', 'changed_after_signing'],
      names: Object.keys(SCHEMES),
    },
    {
      ...{ module: 'timeless', from: '.Abs() <= tolerance', to: '.Abs() <= 1000*tolerance' },
      cases: ['signed_too_long_ago'],
      names: ['standard', 'stripe', 'slack', 'slack_interaction'],
    },
    {
      ...{ module: 'unparsed', from: 'return misfit{err}', to: 'return nil' },
      cases: ['a_payload_that_does_not_fit'],
      names: Object.keys(SCHEMES),
    },
  ])(
    'fails beside an $module handler',
    async ({ module, from, to, cases, names }) => {
      for (const { name, event } of schemes.filter(({ name }) => names.includes(name))) {
        const handler = await generated(event);
        expect(handler.code.split(from).length, name).toBe(2);
        write(module, name, { ...handler, code: handler.code.replace(from, to) });
      }
      const output = goTest(module);
      for (const name of names) {
        expect(output).toMatch(new RegExp(`^FAIL\\s+example\\.com/hooks/${name}\\s`, 'm'));
      }
      for (const it of cases) {
        const failures = output.split(`--- FAIL: TestWebhooks/${it} `).length - 1;
        expect(failures, it).toBe(names.length);
      }
    },
    300_000,
  );

  test('compiles with its handler, whatever a sender sent', async () => {
    const events = [...sampleEvents(), ...plainEvents(), ...hostileEvents()];
    for (const [i, { event }] of events.entries()) write('all', `p${i}`, await generated(event));
    startGoModule(join(dir, 'all'));
    go(join(dir, 'all'), 'vet', './...');
  }, 300_000);
});

describe.skipIf(!hasGin)('a handler in Go of all events of a type', () => {
  const MARKER = 'MARKER-f3a9';
  const SECRET = 'a secret';
  const examples = githubExamples().filter(({ name }) => name === 'issues');
  const texts = examples.map(({ payload }) => JSON.stringify(payload));
  let server: HandlerServer;

  beforeAll(async () => {
    const headers = ['content-type', 'application/json', 'x-github-event', 'issues'];
    const event = capturedEvent(headers, texts[0] as string);
    const { code } = await generated(event, storedShape(shapeOf(texts)));
    expect(code).toContain('// Learned from all events of this type.');
    server = await ginServer({ learned: code }, { GITHUB_WEBHOOK_SECRET: SECRET });
  }, 120_000);
  afterAll(() => server?.close());

  async function send(id: string, body: string): Promise<[status: number, text: string]> {
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = {
      'x-github-event': 'issues',
      'x-hub-signature-256': `sha256=${signature}`,
      'webhook-id': id,
    };
    const response = await request(server.url('learned'), { method: 'POST', headers, body });
    return [response.statusCode, await response.body.text()];
  }

  interface Issues {
    issue: Record<string, unknown>;
    sender: Record<string, unknown>;
  }

  function changed(change: (payload: Issues) => void): string {
    const payload = JSON.parse(texts[0] as string) as Issues;
    payload.sender.login = MARKER;
    change(payload);
    return JSON.stringify(payload);
  }

  test('accepts every one', async () => {
    expect(texts.length).toBeGreaterThan(20);
    for (const [i, text] of texts.entries()) {
      expect(await send(`evt_${i}`, text), text.slice(0, 200)).toEqual([200, 'ok']);
    }
  });

  test.each<[what: string, line: string, change: (payload: Issues) => void]>([
    [
      'a text for a number',
      '"issue.id" is not int64',
      ({ issue }) => Object.assign(issue, { id: MARKER }),
    ],
    [
      'a number for a text',
      '"issue.title" is not string',
      ({ issue }) => Object.assign(issue, { title: 8613.25 }),
    ],
    ['a fraction', '"issue.id" is not int64', ({ issue }) => Object.assign(issue, { id: 8613.25 })],
    [
      'another time',
      'a member is refused by its type: *time.ParseError',
      ({ issue }) => Object.assign(issue, { created_at: MARKER }),
    ],
    [
      'a text for an object',
      '"issue.user" is not',
      ({ issue }) => Object.assign(issue, { user: MARKER }),
    ],
  ])('refuses %s and logs no value', async (what, line, change) => {
    const id = `evt_${what.replaceAll(' ', '_')}`;
    expect(await send(id, changed(change))).toEqual([422, 'payload does not fit']);
    await until('the line', () => server.output().includes(`"${id}" does not fit: ${line}`));
    // It isn't handled, so the next attempt is another try.
    expect(await send(id, changed(change))).toEqual([422, 'payload does not fit']);
    expect(server.output()).not.toMatch(/MARKER|8613/);
  });

  test('logs no payload that fits or whose handling fails', async () => {
    const body = changed(() => {});
    expect(await send('evt_fits', body)).toEqual([200, 'ok']);
    writeFileSync(join(server.dir, FILES.fail), '');
    expect(await send('evt_fails', body)).toEqual([500, 'failed']);
    rmSync(join(server.dir, FILES.fail));
    await until('the line', () => server.output().includes('"evt_fails" failed'));
    expect(server.output()).not.toContain(MARKER);
  });
});
