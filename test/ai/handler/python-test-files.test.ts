import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AiEvent } from '../../../src/ai/event-input.ts';
import {
  type GeneratedHandler,
  generateHandler,
} from '../../../src/ai/handler/generate-handler.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { storedShape } from '../../../src/core/shapes/stored-shape.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability } from '../../fixtures/machine.ts';
import { capturedEvent, composed, jsonEvent, sampleEvents } from '../ai-events.ts';
import { githubExamples } from '../github-examples.ts';
import { learned } from '../learned/shapes.ts';
import { SCHEMES } from './handler-conformance.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';
import { hasPython, PythonProcess } from './python-process.ts';

failOnLeaks();

const types = new TypeGenerator();
const python = new PythonProcess();
const root = mkdtempSync(join(tmpdir(), 'hookrelay-pytest-'));
afterAll(async () => {
  await Promise.all([types.close(), python.close()]);
  rmSync(root, { recursive: true });
});

const hasPytest = ability(
  'fastapi, httpx and pytest (Python)',
  hasPython('fastapi', 'httpx', 'pytest'),
  true,
);

function generated(event: AiEvent, shape: Uint8Array | null = null): Promise<GeneratedHandler> {
  const target = { language: 'python', framework: 'fastapi' };
  return generateHandler(event, target, { types, learned: shape });
}

function put({ code, test }: GeneratedHandler): string {
  const dir = mkdtempSync(join(root, 'handler-'));
  writeFileSync(join(dir, 'webhooks.py'), code);
  writeFileSync(join(dir, 'test_webhooks.py'), test);
  return dir;
}

/** The runner's exit code, the names of the tests that failed, and how many passed. */
async function pytest(dir: string) {
  const options = ['-q', '--tb=no', '-p', 'no:cacheprovider', 'test_webhooks.py'];
  const { status, stdout } = await python.pytest(dir, ...options);
  return {
    status,
    failed: [...stdout.matchAll(/^FAILED \S+::(\w+)/gm)].map(([, name]) => name),
    passed: Number(/(\d+) passed/.exec(stdout)?.[1] ?? 0),
  };
}

const CLIENT = `
import json, logging, os, pathlib, sys
logging.basicConfig(level=logging.DEBUG)
import test_webhooks as tests
from fastapi import FastAPI
from fastapi.testclient import TestClient
os.environ[sys.argv[1]] = tests.SECRET
app = FastAPI()
app.include_router(tests.router, prefix="/webhooks")
client = TestClient(app)
bodies = [text.encode() for text in json.loads(pathlib.Path("bodies.json").read_text())]
print(json.dumps([tests.answer(client, body, tests.signed(body)) for body in bodies]))
`;

/** Sends bodies to a handler; its answers, and all that its process writes. */
async function answers(dir: string, secretVariable: string, bodies: readonly string[]) {
  writeFileSync(join(dir, 'bodies.json'), JSON.stringify(bodies));
  writeFileSync(join(dir, 'client.py'), CLIENT);
  const { stdout, stderr } = await python.program(dir, 'client.py', secretVariable);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  return { answers: JSON.parse(line) as [number, string][], output: stdout + stderr };
}

describe.skipIf(!hasPytest)('a generated pytest module', () => {
  test.each(Object.entries(SCHEMES))('passes for %s', async (_, { sample }) => {
    const { headers, body } = composed(sample);
    const dir = put(await generated(capturedEvent(headers, body)));
    const { status, failed, passed } = await pytest(dir);
    expect({ status, failed }).toEqual({ status: 0, failed: [] });
    expect(passed).toBeGreaterThanOrEqual(5);
  });

  test.each([
    ['no text', Buffer.of(0xff, 0xfe, 0)],
    ['no body', ''],
    ['characters that end lines, or have two units', '{"a":"\u2028 \u{1f600} \\ \u0000 \u202e"}'],
    ['a byte order mark', '\ufeff{"a":1}'],
    ['a form', 'a=1&b=%20'],
  ])('passes for %s', async (what, body) => {
    const type = what === 'a form' ? 'application/x-www-form-urlencoded' : 'text/plain; a="b\\"';
    const dir = put(await generated(capturedEvent(['content-type', type], body)));
    expect(await pytest(dir)).toMatchObject({ status: 0, failed: [] });
  });

  test('reads a large body from a file', async () => {
    const body = JSON.stringify({ a: 'x'.repeat(100_000) });
    const handler = await generated(jsonEvent(body));
    expect(handler.test).toContain(
      '# The captured body is large: hookrelay events raw evt_01kxe4q2s5e0ert4wvnmhxq8p1 >webhooks.sample\n',
    );
    const dir = put(handler);
    writeFileSync(join(dir, 'webhooks.sample'), body);
    expect(await pytest(dir)).toMatchObject({ status: 0, failed: [] });
  });

  const forged = [
    'test_refuses_the_signature_of_another_secret',
    'test_refuses_a_body_that_was_changed_after_signing',
    'test_refuses_an_old_signature',
  ];
  test.each([
    ['verifies nothing', 'def is_authentic(*_: object) -> bool:\n    return True\n', forged],
    ['accepts old signatures', 'def is_recent(_: str) -> bool:\n    return True\n', [forged[2]]],
    [
      'handles repeats',
      'class Nothing(dict):\n    def __setitem__(*_):\n        pass\nhandled = Nothing()\n',
      ['test_handles_a_repeated_event_once'],
    ],
    [
      'parses nothing',
      'def parsed(model, payload):\n    return model.model_construct()\n',
      ['test_refuses_a_payload_that_does_not_fit'],
    ],
    [
      'fails',
      'async def handle(*_):\n    raise RuntimeError\n',
      [
        'test_handles_the_captured_event',
        'test_handles_a_repeated_event_once',
        'test_refuses_a_payload_that_does_not_fit',
      ],
    ],
  ])('fails where the handler %s', async (_, change, failed) => {
    for (const name of ['standard', 'stripe'] as const) {
      const { headers, body } = composed(SCHEMES[name].sample);
      const handler = await generated(capturedEvent(headers, body));
      const dir = put({ ...handler, code: `${handler.code}\n\n${change}` });
      expect(await pytest(dir), name).toMatchObject({ status: 1, failed });
    }
  });
});

describe.skipIf(!hasPytest)('a handler for FastAPI', () => {
  test('accepts all events that its types were learned from, and refuses a retyped one', async () => {
    const texts = githubExamples()
      .filter(({ name }) => name === 'issues')
      .map(({ payload }) => JSON.stringify(payload));
    expect(texts.length).toBeGreaterThan(20);
    const headers = ['content-type', 'application/json', 'x-github-event', 'issues'];
    const event = capturedEvent(headers, texts[0] as string);
    const shape = storedShape(learned('issues', texts).shape);
    const dir = put(await generated(event, shape));
    const first = JSON.parse(texts[0] as string) as object;
    const wrong = [{ sender: 'no object' }, { sender: undefined }, { action: 7 }].map((change) =>
      JSON.stringify({ ...first, ...change }),
    );
    const all = await answers(dir, 'GITHUB_WEBHOOK_SECRET', [...texts, ...wrong]);
    expect(all.answers).toEqual([
      ...texts.map(() => [200, 'ok']),
      ...wrong.map(() => [422, 'payload does not fit']),
    ]);
    expect(await pytest(dir)).toMatchObject({ status: 0, failed: [] });
  });

  const MARKER = 'MARKER-of-a-payload';
  const dates = { '2026-11-20': { n: 1 }, '2026-11-21': { n: 2 } };
  const FITS = JSON.stringify({ type: 'order.paid', n: 1, by_day: dates, text: MARKER });

  test.each([
    ['of an unknown sender', [], 'WEBHOOK_SECRET'],
    ['of a sender with types', ['stripe-signature', 'x'], 'STRIPE_WEBHOOK_SECRET'],
  ])('writes no values of payloads %s', async (_, headers, secretVariable) => {
    const handler = await generated(
      capturedEvent(['content-type', 'application/json', ...headers], FITS),
    );
    const change = (members: object) => JSON.stringify({ ...JSON.parse(FITS), ...members });
    const bodies = [
      FITS,
      change({ n: MARKER }),
      change({ text: [MARKER] }),
      change({ by_day: { ...dates, [MARKER]: { n: MARKER } } }),
      `${FITS}${MARKER}`,
    ];
    const fitting = await answers(put(handler), secretVariable, bodies);
    expect(fitting.answers.map(([status]) => status)).toEqual([200, 422, 422, 422, 400]);
    expect(fitting.output).toContain('int_parsing');
    expect(fitting.output).not.toContain(MARKER);

    // The user's code fails with an error that quotes the payload, and with one of pydantic's.
    const payload = headers.length > 0 ? 'event' : 'payload';
    for (const line of [
      `int(str(${payload}))`,
      `type(${payload}).model_validate(str(${payload}))`,
    ]) {
      const code = handler.code.replace('# TODO: your code.', line);
      const failing = await answers(put({ ...handler, code }), secretVariable, [FITS]);
      expect(failing.answers).toEqual([[500, 'failed']]);
      expect(failing.output).toMatch(/failed: Val\w+Error\n/);
      expect(failing.output).not.toContain(MARKER);
    }
  });

  test('forges no line of the log by an event type', async () => {
    const event = capturedEvent(['stripe-signature', 'x'], '{"type":"order.paid","n":1}');
    const bodies = [JSON.stringify({ type: `a\nERROR:root:forged\u2028${'x'.repeat(1000)}` })];
    const { answers: given, output } = await answers(
      put(await generated(event)),
      'STRIPE_WEBHOOK_SECRET',
      bodies,
    );
    expect(given).toEqual([[200, 'ok']]);
    expect(output).toContain("not handled: 'a\\nERROR:root:forged\\u2028xxx");
    expect(output).not.toContain('x'.repeat(101));
  });

  test('loads without warnings for every provider and every payload, and its test compiles', async () => {
    const dir = join(root, 'loaded');
    mkdirSync(dir);
    const events = [...sampleEvents(), ...plainEvents(), ...hostileEvents()];
    for (const [i, { event }] of events.entries()) {
      const { code, test } = await generated(event);
      writeFileSync(join(dir, `webhooks_${i}.py`), code);
      writeFileSync(join(dir, `test_webhooks_${i}.py`), test);
    }
    writeFileSync(
      join(dir, 'load.py'),
      `import pathlib, warnings
warnings.simplefilter("error")
for i in range(${events.length}):
    __import__(f"webhooks_{i}")
    test = pathlib.Path(f"test_webhooks_{i}.py")
    compile(test.read_text(encoding="utf-8"), test, "exec")
`,
    );
    expect(await python.program(dir, 'load.py')).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
