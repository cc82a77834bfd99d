import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { request } from '../fixtures/http-request.ts';
import { tempDir } from '../fixtures/running-server.ts';
import { until } from '../fixtures/until.ts';

/* `npm start` in a checkout right after `npm ci`, and again later. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PARTS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'build-dashboard.ts',
  'bin',
  'migrations',
  'src',
];
/** Long enough for a build of the page on a busy machine, ms. */
const BUILT_WITHIN_MS = 120_000;

test(
  'npm start serves the page, and builds it when it is missing or older than its sources',
  async () => {
    const checkout = join(tempDir(), 'checkout');
    for (const part of PARTS) cpSync(join(ROOT, part), join(checkout, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const page = join(checkout, 'dist', 'dashboard', 'index.html');

    const first = await servedPage(checkout);
    expect(first).toMatch(/src="\/assets\/[^"]+\.js"/);
    const built = statSync(page);
    // The page is sent compressed, so the build compressed it.
    statSync(`${page}.br`);

    prestart(checkout);
    expect(statSync(page).ino).toBe(built.ino);

    const later = new Date(Date.now() + 1000);
    const style = join(checkout, 'src', 'dashboard', 'styles', 'page.css');
    utimesSync(style, later, later);
    prestart(checkout);
    expect(statSync(page).ino).not.toBe(built.ino);
  },
  2 * BUILT_WITHIN_MS,
);

/** The script that npm runs before the server. */
function prestart(checkout: string): void {
  execFileSync('npm', ['run', '--silent', 'prestart'], { cwd: checkout });
}

/** The page at / of a server started by `npm start`, which then ends. */
async function servedPage(checkout: string): Promise<string> {
  const args = ['start', '--silent', '--', '--json', '--port', '0', '--data-dir'];
  // In its own process group, npm, its shell and the server end together.
  const child = spawn('npm', [...args, join(checkout, 'data')], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const closed = once(child, 'close');
  const end = async () => {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    if (!isOver) process.kill(-(child.pid as number), 'SIGTERM');
    await closed;
  };
  onTestFinished(end);
  const readyUrl = () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
    return /\{"type":"ready","url":"([^"]+)"\}/.exec(output)?.[1];
  };
  const url = await until('the server is ready', readyUrl, BUILT_WITHIN_MS);
  const { text } = await request(`${url}/`);
  await end();
  return text;
}
