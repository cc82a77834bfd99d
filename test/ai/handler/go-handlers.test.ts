import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability, runs } from '../../fixtures/machine.ts';
import { sampleEvents } from '../ai-events.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

failOnLeaks();

const types = new TypeGenerator();
const dir = mkdtempSync(join(tmpdir(), 'hookrelay-go-'));
afterAll(async () => {
  await types.close();
  rmSync(dir, { recursive: true });
});

const hasGofmt = ability('gofmt (Go)', runs('sh', '-c', 'command -v gofmt'), false);

describe.skipIf(!hasGofmt)('Go', () => {
  test('is formatted by gofmt for every provider and every payload', async () => {
    const target = { language: 'go', framework: 'gin' };
    const events = [...sampleEvents(), ...plainEvents(), ...hostileEvents()];
    for (const [i, { event }] of events.entries()) {
      const { code } = await generateHandler(event, target, { types });
      writeFileSync(join(dir, `webhooks_${i}.go`), code);
    }
    // Exits with an error for invalid Go, and lists what it would change.
    expect(execFileSync('gofmt', ['-e', '-l', dir], { encoding: 'utf8' })).toBe('');
  });
});
