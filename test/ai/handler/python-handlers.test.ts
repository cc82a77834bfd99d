import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability, runs } from '../../fixtures/machine.ts';
import { sampleEvents } from '../ai-events.ts';
import { describeHandlers } from './handler-conformance.ts';
import { fastapiServer } from './handler-servers.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const types = new TypeGenerator();
const dir = mkdtempSync(join(tmpdir(), 'hookrelay-python-'));
afterAll(async () => {
  await types.close();
  rmSync(dir, { recursive: true });
});

const hasPython = ability('python3 (Debian: python3)', runs('python3', '--version'), true);
const hasFastapi = ability(
  'fastapi and uvicorn (Python)',
  runs('python3', '-c', 'import fastapi, uvicorn'),
  false,
);

describe.skipIf(!hasPython)('Python', () => {
  test('compiles for every provider and every payload', async () => {
    const target = { language: 'python', framework: 'fastapi' };
    const files: string[] = [];
    const events = [...sampleEvents(), ...plainEvents(), ...hostileEvents()];
    for (const [i, { event }] of events.entries()) {
      const { code } = await generateHandler(event, target, { types });
      const file = join(dir, `webhooks_${i}.py`);
      writeFileSync(file, code);
      files.push(file);
    }
    execFileSync('python3', ['-W', 'error', '-m', 'py_compile', ...files], { stdio: 'pipe' });
  });
});

const hasMypy = ability(
  'mypy and fastapi (Python)',
  runs('python3', '-c', 'import fastapi, mypy'),
  false,
);

describe.skipIf(!hasMypy)('Python, checked by mypy', () => {
  test('has no error under --strict', async () => {
    const target = { language: 'python', framework: 'fastapi' };
    const strict = join(dir, 'strict');
    mkdirSync(strict);
    for (const [i, { event }] of [...sampleEvents(), ...plainEvents()].entries()) {
      const { code } = await generateHandler(event, target, { types });
      writeFileSync(join(strict, `webhooks_${i}.py`), code);
    }
    const options = ['--strict', '--cache-dir', join(dir, 'cache')];
    execFileSync('python3', ['-m', 'mypy', ...options, strict], { stdio: 'pipe' });
  }, 120_000);
});

describe.skipIf(!hasFastapi)('Python for FastAPI', () => {
  describeHandlers('python', 'fastapi', fastapiServer);
});
