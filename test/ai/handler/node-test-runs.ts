import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AiEvent } from '../../../src/ai/event-input.ts';
import type { GeneratedHandler } from '../../../src/ai/handler/generate-handler.ts';
import { sampleEvents } from '../ai-events.ts';
import { hostileEvents } from './hostile-events.ts';
import { plainEvents } from './plain-events.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Events of every provider, every payload and every hostile sender. */
export function allEvents(): { name: string; event: AiEvent }[] {
  return [...sampleEvents(), ...plainEvents(), ...hostileEvents()];
}

/** Writes a line for each test. A handler's folder is its index. */
const REPORTER = `
import { basename, dirname } from 'node:path';
export default async function* (events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const handler = Number(basename(dirname(data.file)));
    yield JSON.stringify({ handler, test: data.name, passed: type === 'test:pass' }) + '\\n';
  }
}`;

export interface NodeTestResult {
  /** Index of the handler. */
  handler: number;
  test: string;
  passed: boolean;
}

/** Runs the tests of handlers in one process, whose start takes a third of a second. */
export function runNodeTests(handlers: readonly GeneratedHandler[]): {
  status: number | null;
  results: NodeTestResult[];
} {
  const dir = mkdtempSync(join(tmpdir(), 'hookrelay-node-tests-'));
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}');
  writeFileSync(join(dir, 'reporter.js'), REPORTER);
  const files = handlers.map(({ file, code, testFile, test }, i) => {
    mkdirSync(join(dir, String(i)));
    writeFileSync(join(dir, String(i), file), code);
    writeFileSync(join(dir, String(i), testFile), test);
    return join(dir, String(i), testFile);
  });
  // Handlers write to stdout, too.
  const results = join(dir, 'results');
  const options = ['--test-isolation=none', '--test-reporter=./reporter.js'];
  const { PATH, HOME } = process.env;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--test', ...options, `--test-reporter-destination=${results}`, ...files],
    { cwd: dir, env: { PATH, HOME }, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const lines = readFileSync(results, 'utf8').trimEnd().split('\n');
  rmSync(dir, { recursive: true });
  if (lines[0] === '') throw new Error(`no test ran: ${stderr.slice(-1000)}`);
  return { status, results: lines.map((line) => JSON.parse(line) as NodeTestResult) };
}
