import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { generateHandler } from '../../../src/ai/handler/generate-handler.ts';
import { TypeGenerator } from '../../../src/ai/types/type-generator.ts';
import { failOnLeaks } from '../../fixtures/leaks.ts';
import { ability, runs } from '../../fixtures/machine.ts';
import { jsonEvent, sampleEvents } from '../ai-events.ts';
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

describe('a test of Go', () => {
  const target = { language: 'go', framework: 'gin' };

  test('has the sender’s text in whole literals only', async () => {
    for (const { name, event } of hostileEvents()) {
      const { test } = await generateHandler(event, target, { types });
      const bare = test.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, '""');
      expect(bare, name).not.toContain('INJECTED');
      expect(test, name).toMatch(/^[\t\n\x20-\x7e]*$/);
    }
  });

  test('reads a large body from a file, which it says how to write', async () => {
    const event = jsonEvent(JSON.stringify({ text: 'x'.repeat(70_000) }));
    const { test } = await generateHandler(event, target, { types });
    expect(test).toContain(`hookrelay events raw ${event.id} >webhooks.sample`);
    expect(test).toContain('os.ReadFile("webhooks.sample")');
    expect(test.length).toBeLessThan(5000);
  });
});

describe.skipIf(!hasGofmt)('Go', () => {
  test('is formatted by gofmt for every provider and every payload', async () => {
    const target = { language: 'go', framework: 'gin' };
    const events = [...sampleEvents(), ...plainEvents(), ...hostileEvents()];
    for (const [i, { event }] of events.entries()) {
      const { code, test } = await generateHandler(event, target, { types });
      writeFileSync(join(dir, `webhooks_${i}.go`), code);
      writeFileSync(join(dir, `webhooks_${i}_test.go`), test);
    }
    // Exits with an error for invalid Go, and lists what it would change.
    expect(execFileSync('gofmt', ['-e', '-l', dir], { encoding: 'utf8' })).toBe('');
  });
});
