import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { selfSigned } from '../delivery/receivers.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { serveIn } from '../fixtures/served-process.ts';
import { until } from '../fixtures/until.ts';

/* What `serve` says to its own process before it begins, so that it takes less memory. */

const BIN = fileURLToPath(new URL('../../bin/hookrelay.mjs', import.meta.url));
const SERVE = [BIN, 'serve'];

/** MiB. */
const OLD_OBJECTS = 300;
/** Memory that V8 adds when it reports the largest heap. */
const SEMI_SPACES = 3;
/**
 * Runs at the start of every thread and prints how much young objects may take.
 * What they do take depends on how many live and how far the collector is.
 */
const TELLING = `
  import { isMainThread } from 'node:worker_threads';
  import { getHeapStatistics } from 'node:v8';
  const thread = isMainThread ? 'main' : 'worker';
  const young = getHeapStatistics().heap_size_limit / 2 ** 20 - ${OLD_OBJECTS};
  process.stderr.write(thread + ' thread: ' + young + ' MiB\\n');
`;

/** A module that Node runs first in each thread, as operators may have one. */
function preload(source: string, directory = tempDir()): string {
  const file = join(directory, 'preload.mjs');
  writeFileSync(file, source);
  return `--import=${file}`;
}

/** A server started by any command, once it has printed its ready line. */
async function ready(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(command, [...args, '--port', '0', '--data-dir', tempDir(), '--json'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [text] = await once(child.stdout, 'data');
  const [line = ''] = String(text).split('\n');
  return { pid: child.pid, url: JSON.parse(line).url as string, stderr: () => stderr };
}

/** As the process began. */
function environmentOf(pid: number | undefined): Record<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s)));
}

/** Prints a process's variables of its memory, as it begins. Runs before all other modules. */
const TELLING_VARIABLES = `
  import { isMainThread } from 'node:worker_threads';
  const { NODE_OPTIONS, MALLOC_ARENA_MAX } = process.env;
  if (isMainThread) process.stderr.write(JSON.stringify({ NODE_OPTIONS, MALLOC_ARENA_MAX }) + '\\n');
`;
let telling = '';

/** The variables of memory at each beginning of a process that writes nothing else to stderr. */
async function beginningsOf(child: ChildProcess): Promise<object[]> {
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  return stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** `serve --help`: it begins as a server does, and ends. */
async function begun(
  options: readonly string[],
  env: Record<string, string>,
  node: string = process.execPath,
) {
  const child = spawn(node, [telling, ...options, BIN, 'serve', '--help'], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  return { beginnings: await beginningsOf(child), stdout };
}

describe.skipIf(process.platform !== 'linux')('serve', () => {
  beforeAll(() => {
    vi.stubEnv('MALLOC_ARENA_MAX', undefined);
    let remove = () => {};
    const directory = tempDir((end) => {
      remove = end;
    });
    telling = preload(TELLING_VARIABLES, directory);
    return remove;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });

  test('bounds young objects and mallocs, and keeps other Node options', async () => {
    const said = `${preload(TELLING)} --max-old-space-size=${OLD_OBJECTS}`;
    const server = await serveIn(tempDir(), [], { NODE_OPTIONS: said });
    expect(environmentOf(server.pid)).toMatchObject({
      NODE_OPTIONS: `${said} --max-semi-space-size=8`,
      MALLOC_ARENA_MAX: '2',
    });
    const youngOf = (thread: string) =>
      [...server.stderr.matchAll(/^(\w+) thread: (\d+) MiB$/gm)]
        .filter(([, name]) => name === thread)
        .map(([, , size]) => Number(size));
    // The threads of the store and of its index, which gets a quarter of it.
    await until('two threads have begun', () => youngOf('worker').length >= 2);
    expect(Math.min(...youngOf('worker'))).toBe(SEMI_SPACES * 2);
    const [before, ...bounded] = youngOf('main');
    expect(bounded).toEqual([SEMI_SPACES * 8]);
    expect(before).toBeGreaterThan(SEMI_SPACES * 8);
  });

  test('bounds old objects, and those of threads by their own bounds', async () => {
    const server = await serveIn(tempDir(), [], { NODE_OPTIONS: preload(TELLING) });
    const limits = () => server.stderr.match(/^\w+ thread: \d+ MiB$/gm) ?? [];
    await until('two threads have begun', () => limits().length >= 4);
    const [, ...bounded] = limits();
    const limitOf = (old: number, young: number) => old + SEMI_SPACES * young - OLD_OBJECTS;
    expect(bounded).toContain(`main thread: ${limitOf(2000, 8)} MiB`);
    expect(bounded.filter((line) => line.startsWith('worker'))).toContain(
      `worker thread: ${limitOf(2000, 2)} MiB`,
    );
  });

  test.each<[string, readonly string[], Record<string, string>]>([
    ['as an option of Node', ['--max-semi-space-size=64'], {}],
    ['in the environment', [], { NODE_OPTIONS: '--max-semi-space-size=32' }],
    ['as V8 spells it', [], { NODE_OPTIONS: '--max_semi_space_size=80' }],
  ])('keeps the operator’s bound of young objects: %s', async (_, options, env) => {
    const [only, ...others] = (await begun(options, env)).beginnings;
    expect(others).toEqual([]);
    expect(only).toEqual({ NODE_OPTIONS: env.NODE_OPTIONS });
  });

  test('restarts itself once, even when a preload removes its options, and keeps the operator’s bound of mallocs', async () => {
    const forgetful = preload('delete process.env.NODE_OPTIONS;');
    const { beginnings } = await begun([forgetful], { MALLOC_ARENA_MAX: '7' });
    expect(beginnings).toEqual([
      { MALLOC_ARENA_MAX: '7' },
      {
        NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=2000',
        MALLOC_ARENA_MAX: '7',
      },
    ]);
  });

  test('keeps the IPC channel of its parent', async () => {
    const child = fork(BIN, ['serve', '--help'], {
      execArgv: [telling],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    expect(await beginningsOf(child)).toEqual([{}]);
  });

  test('keeps the files that the shell opened for it', async () => {
    const { certFile } = selfSigned('localhost');
    const keyFile = certFile.replace(/cert\.pem$/, 'key.pem');
    // A low number, because Node passes on descriptors far above its own, such as
    // the 63 of bash's <(…).
    const script = `exec "$0" "$@" --tls-key /dev/fd/3 3<'${keyFile}'`;
    const args = ['-c', script, process.execPath, ...SERVE, '--tls-cert', certFile];
    expect((await ready('bash', args)).url).toMatch(/^https:/);
  });

  test('starts when its executable is gone, as after an upgrade', async () => {
    const node = join(tempDir(), 'node');
    copyFileSync(process.execPath, node);
    const gone = preload(
      `import { rmSync } from 'node:fs'; rmSync(process.execPath, { force: true });`,
    );
    const { beginnings, stdout } = await begun([], { NODE_OPTIONS: gone }, node);
    expect(existsSync(node)).toBe(false);
    expect(beginnings).toEqual([{ NODE_OPTIONS: gone }]);
    expect(stdout).toContain('Usage: hookrelay serve');
  });
});
