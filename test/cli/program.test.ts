import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hookrelayProcess, type Outcome, hookrelay as run } from './command-line.ts';

const MANIFEST = new URL('../../package.json', import.meta.url);
/** None of these commands reads it. */
const SHELL = { home: '/nonexistent' };

function hookrelay(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return run(SHELL, args, undefined, env);
}

describe.concurrent('hookrelay', () => {
  // Linux has a file that acts as a full disk.
  test.skipIf(process.platform !== 'linux')(
    'fails when its output is lost',
    async ({ expect, onTestFinished }) => {
      const home = mkdtempSync(join(tmpdir(), 'hookrelay-test-'));
      onTestFinished(() => rmSync(home, { recursive: true }));
      const commands = [['--help'], ['doctor', '--json', '--ai', 'off', '--data-dir', home]];
      for (const args of commands) {
        const { code, stderr } = await hookrelayProcess(SHELL, args, undefined, {}, '/dev/full');
        expect({ code, stderr }).toEqual({
          code: 1,
          stderr: 'hookrelay: cannot write to stdout (ENOSPC)\n',
        });
      }
    },
  );

  test('--version prints the version of package.json', async ({ expect }) => {
    const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
    expect(await hookrelayProcess(SHELL, ['--version'])).toMatchObject({
      code: 0,
      stdout: `${version}\n`,
      stderr: '',
    });
  });

  test('--help is on stdout and exits 0', async ({ expect }) => {
    const { code, stdout, stderr } = await hookrelay(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: hookrelay /);
    expect(stdout).toContain('serve');
  });

  test('serve --help names flags, variables, defaults and an example', async ({ expect }) => {
    const { code, stdout } = await hookrelay(['serve', '--help']);
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain('--port <number> port to listen on; 0 takes a free one and prints it');
    expect(text).toContain('(default: 25mb, env: HOOKRELAY_MAX_BODY)');
    expect(text).toContain('$ hookrelay serve');
    expect(text).toContain('HOOKRELAY_SECRET_KEY');
  });

  test('no command prints help on stderr and exits 2', async ({ expect }) => {
    const { code, stdout, stderr } = await hookrelayProcess(SHELL, []);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: hookrelay');
  });

  test('an unknown command suggests one and exits 2', async ({ expect }) => {
    expect(await hookrelay(['srve'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: "hookrelay: unknown command 'srve'\n(Did you mean serve?)\n",
    });
  });

  test.each([
    [['help', 'nosuch'], "hookrelay: unknown command 'nosuch'\n"],
    [['help', 'srve'], "hookrelay: unknown command 'srve'\n(Did you mean serve?)\n"],
    [
      ['help', 'endpoints', 'craete'],
      "hookrelay: unknown command 'craete'\n(Did you mean create?)\n",
    ],
    [['events', 'help', 'lst'], "hookrelay: unknown command 'lst'\n(Did you mean list?)\n"],
  ])('%j names the unknown word and exits 2', async (args, stderr) => {
    expect(await hookrelay(args)).toMatchObject({ code: 2, stdout: '', stderr });
  });

  test.each([
    [['help'], 'Usage: hookrelay [options] [command]'],
    [['help', 'events'], 'Usage: hookrelay events '],
    [['events', 'help', 'list'], 'Usage: hookrelay events list '],
    [['help', 'endpoints', 'create'], 'Usage: hookrelay endpoints create '],
    // This is never run: words after a command's name are not checked.
    [['help', 'endpoints', 'delete', 'orders'], 'Usage: hookrelay endpoints delete '],
    [['help', '--all'], 'Usage: hookrelay [options] [command]'],
  ])('%j prints on stdout', async (args, usage) => {
    const { code, stdout, stderr } = await hookrelay(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(usage);
  });

  test('a bad argument exits 2 and names what is accepted', async ({ expect }) => {
    const { code, stdout, stderr } = await hookrelay(['events', 'get', "it's"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      "hookrelay: argument 'event' value 'it's' is invalid. Expected the id of an event, such as evt_01kxyz.\n",
    );
  });

  test('an unknown flag suggests one and exits 2', async ({ expect }) => {
    const { code, stdout, stderr } = await hookrelay(['serve', '--prot', '1']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe("hookrelay: unknown option '--prot'\n(Did you mean --port?)\n");
  });

  test('a bad flag exits 2 and names what is accepted', async ({ expect }) => {
    const { code, stdout, stderr } = await hookrelay(['serve', '--port', '99999']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      "hookrelay: option '--port <number>' argument '99999' is invalid. Expected a whole number from 0 to 65535.\n",
    );
  });

  test('a bad variable exits 2 and is named', async ({ expect }) => {
    const { code, stdout, stderr } = await hookrelay(['serve'], { HOOKRELAY_TUNNEL: 'maybe' });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain("'maybe' from env 'HOOKRELAY_TUNNEL' is invalid");
    expect(stderr).toContain('Expected 1, true, 0 or false.');
  });

  test('settings that contradict each other exit 2 with a hint', async ({ expect }) => {
    const { code, stdout, stderr } = await hookrelay(['serve', '--tls-key', 'k.pem']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^hookrelay: --tls-key is given without --tls-cert\n {2}hint: .+\n$/);
  });

  test('control characters in arguments are not echoed', async ({ expect }) => {
    const { code, stderr } = await hookrelay(['serve', '--host', '\u001b[2J\r']);
    expect(code).toBe(2);
    expect(stderr).toContain('\\u001b[2J\\u000d');
    expect(stderr).not.toContain('\u001b');
  });
});

/** The lowest version in a range of `engines`, as one number; 0 without one. */
function least(range: string | undefined): number {
  const [, major, minor = '0'] = />=\s*(\d+)(?:\.(\d+))?/.exec(range ?? '') ?? [];
  return Number(major ?? 0) * 1000 + Number(minor);
}

/** Packages that the server's sources import, whether installed with it or part of dist/. */
function packagesOf({
  dependencies,
  devDependencies,
}: Record<'dependencies' | 'devDependencies', object>): string[] {
  const folder = fileURLToPath(new URL('src/', MANIFEST));
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('dashboard/'))
    .map((path) => readFileSync(`${folder}${path}`, 'utf8'));
  const imported = Object.keys(devDependencies).filter((name) =>
    sources.some((source) => source.includes(`from '${name}'`)),
  );
  return [...Object.keys(dependencies), ...imported];
}

test('the required Node version suits every package', () => {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const { engines } = manifest;
  const packages = packagesOf(manifest);
  expect(packages).toEqual(expect.arrayContaining(['better-sqlite3', 'undici', 'h3']));
  const needed = packages.map((name) => {
    const itsOwn = new URL(`node_modules/${name}/package.json`, MANIFEST);
    return least(JSON.parse(readFileSync(itsOwn, 'utf8')).engines?.node);
  });
  expect(least(engines.node)).toBe(Math.max(...needed));
  const start = readFileSync(new URL('bin/hookrelay.mjs', MANIFEST), 'utf8');
  const [major, minor] = ['MAJOR', 'MINOR'].map((part) =>
    Number(new RegExp(`^const MIN_${part} = (\\d+);$`, 'm').exec(start)?.[1]),
  ) as [number, number];
  expect(major * 1000 + minor).toBe(least(engines.node));
  expect(readFileSync(new URL('docs/operations.md', MANIFEST), 'utf8')).toContain(
    `The npm package needs Node ${major}.${minor} or later`,
  );
});

test('this suite runs on the project’s own Node', () => {
  expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(22);
});
