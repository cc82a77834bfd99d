import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateHandler, type Handler } from '../../../src/ai/handler/generate-handler.ts';
import { HANDLER_PAIRS } from '../../../src/ai/handler/pairs.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { sampleEvents } from '../ai-events.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const types = new TypeGenerator();
const dir = mkdtempSync(join(tmpdir(), 'hookrelay-node-tests-'));
afterAll(async () => {
  await types.close();
  rmSync(dir, { recursive: true });
});

beforeAll(() => {
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
});

const PAIRS = (['typescript', 'javascript'] as const).flatMap((language) =>
  HANDLER_PAIRS[language].map((framework) => ({ language, framework })),
);

/** Writes a handler and its test into a directory of their own. Returns the test's path. */
function written(name: string, { file, code, testFile, test }: Handler): string {
  const at = join(dir, name);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, file), code);
  writeFileSync(join(at, testFile), test);
  return join(at, testFile);
}

function run(files: string[]) {
  // One process for all: each costs a third of a second.
  const options = ['--test', '--test-isolation=none', '--test-reporter=tap'];
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME };
  const { status, stdout } = spawnSync(process.execPath, [...options, ...files], {
    ...{ cwd: dir, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  });
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1]);
  return { status, stdout, pass: count('pass'), fail: count('fail') };
}

describe.each(PAIRS)('the test of a handler in $language for $framework', (target) => {
  const name = `${target.language}-${target.framework}`;

  test('passes for every provider, every payload and every hostile sender', async () => {
    const events = [...sampleEvents(), ...plainEvents(), ...hostileEvents()];
    const files: string[] = [];
    for (const [i, { event }] of events.entries()) {
      files.push(written(join(name, String(i)), await generateHandler(event, target, { types })));
    }
    const { status, stdout, pass, fail } = run(files);
    expect(stdout.split('\n').filter((line) => line.startsWith('not ok'))).toEqual([]);
    expect({ status, fail }).toEqual({ status: 0, fail: 0 });
    // The captured body, another secret, a changed body.
    expect(pass).toBeGreaterThanOrEqual(3 * files.length);
  }, 120_000);

  test.each([
    ['that takes any signature', 'if (!isAuthentic(header, body))', 'if (body === null)'],
    ['that takes old signatures', '<= TOLERANCE_S', '!== -1'],
    ['that refuses all', 'if (!isAuthentic(header, body))', 'if (body !== null)'],
    ['that parses nothing', 'if (!error) return data;', 'if (error !== null) return payload;'],
  ])('fails for one %s', async (_, right, wrong) => {
    const [{ event }] = sampleEvents().filter(({ event }) => event.provider === 'gitlab') as [
      ReturnType<typeof sampleEvents>[number],
    ];
    const handler = await generateHandler(event, target, { types });
    expect(handler.code).toContain(right);
    const code = handler.code.replace(right, wrong);
    const file = written(`${name}-wrong`, { ...handler, code });
    expect(run([file])).toMatchObject({ status: 1 });
  });
});
