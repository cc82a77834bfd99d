import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability } from '../../fixtures/machine.ts';
import { sampleEvents } from '../ai-events.ts';
import { describeHandlers } from './handler-conformance.ts';
import { fastapiServer } from './handler-servers.ts';
import { plainEvents } from './plain-events.ts';
import { hasPython } from './python-process.ts';

failOnLeaks();

const types = new TypeGenerator();
const dir = mkdtempSync(join(tmpdir(), 'hookrelay-python-'));
afterAll(async () => {
  await types.close();
  rmSync(dir, { recursive: true });
});

const hasFastapi = ability('fastapi and uvicorn (Python)', hasPython('fastapi', 'uvicorn'), true);

const hasMypy = ability(
  'mypy, fastapi and pytest (Python)',
  hasPython('fastapi', 'mypy', 'pytest'),
  false,
);

describe.skipIf(!hasMypy)('Python, checked by mypy', () => {
  test('has no error under --strict', async () => {
    const target = { language: 'python', framework: 'fastapi' };
    const strict = join(dir, 'strict');
    mkdirSync(strict);
    for (const [i, { event }] of [...sampleEvents(), ...plainEvents()].entries()) {
      const { code, test } = await generateHandler(event, target, { types });
      writeFileSync(join(strict, `webhooks_${i}.py`), code);
      const own = test.replace('from webhooks import', `from webhooks_${i} import`);
      writeFileSync(join(strict, `test_webhooks_${i}.py`), own);
    }
    const options = ['--strict', '--no-error-summary', '--cache-dir', join(dir, 'cache')];
    const mypy = spawnSync('python3', ['-m', 'mypy', ...options, strict], { encoding: 'utf8' });
    expect(mypy).toMatchObject({ stdout: '', stderr: '', status: 0 });
  }, 120_000);
});

describe.skipIf(!hasFastapi)('Python for FastAPI', () => {
  describeHandlers('python', 'fastapi', fastapiServer);
});
