import {
  chmodSync,
  chownSync,
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
import { expect, onTestFinished, test } from 'vitest';
import { Keys } from '../../../src/core/secrets/keys.ts';
import { loadSecret } from '../../../src/core/secrets/secret-key.ts';
import { NOBODY } from '../../fixtures/machine.ts';

function dataDir(): string {
  const directory = mkdtempSync(join(tmpdir(), 'hookrelay-secret-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('is made on the first start, and stays the same', () => {
  const directory = dataDir();
  const secret = Buffer.from(loadSecret(directory, null));
  expect(readdirSync(directory)).toEqual(['secret.key']);
  const file = readFileSync(join(directory, 'secret.key'), 'utf8');
  expect(file).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
  expect(Buffer.from(loadSecret(directory, null)).equals(secret)).toBe(true);
  expect(secret.toString()).toBe(file.trim());
});

test('is not made for data that was written with one', () => {
  const directory = dataDir();
  expect(() => loadSecret(directory, null, false)).toThrow(
    expect.objectContaining({ code: 'secret_mismatch', hint: expect.stringContaining('backup') }),
  );
  expect(readdirSync(directory)).toEqual([]);
  const secret = loadSecret(directory, null);
  expect(Buffer.from(loadSecret(directory, null, false)).equals(secret)).toBe(true);
});

test('differs between directories', () => {
  const secrets = [dataDir(), dataDir()].map((directory) =>
    Buffer.from(loadSecret(directory, null)).toString(),
  );
  expect(secrets[0]).not.toBe(secrets[1]);
});

test.skipIf(process.platform === 'win32')(
  'is readable by its owner alone, whatever the umask',
  () => {
    const directory = dataDir();
    const before = process.umask(0);
    try {
      loadSecret(directory, null);
    } finally {
      process.umask(before);
    }
    expect((statSync(join(directory, 'secret.key')).mode & 0o777).toString(8)).toBe('600');
  },
);

test('given by the operator is used unchanged, and no file is read', () => {
  const directory = dataDir();
  writeFileSync(join(directory, 'secret.key'), 'short');
  const given = 'given by the operator, long enough, é';
  expect(Buffer.from(loadSecret(directory, given)).toString()).toBe(given);
  expect(readFileSync(join(directory, 'secret.key'), 'utf8')).toBe('short');
  expect(Buffer.from(loadSecret(join(directory, 'none'), given)).toString()).toBe(given);
});

test('is the same whether given or read from the file', () => {
  const directory = dataDir();
  const fromFile = new Keys(loadSecret(directory, null));
  // As a shell would: `HOOKRELAY_SECRET_KEY=$(cat secret.key)`.
  const given = readFileSync(join(directory, 'secret.key'), 'utf8').trim();
  expect(new Keys(loadSecret(directory, given)).checkValue).toBe(fromFile.checkValue);
});

test('ignores blanks around it in a file', () => {
  const directory = dataDir();
  const secret = Buffer.from(loadSecret(directory, null)).toString();
  writeFileSync(join(directory, 'secret.key'), `\n  ${secret}\r\n\n`);
  expect(Buffer.from(loadSecret(directory, null)).toString()).toBe(secret);
});

test.each(['', '\n', 'x'.repeat(31), ` ${'x'.repeat(31)}\n`])(
  'in a file that is too short is refused, and the file stays: %j',
  (content) => {
    const directory = dataDir();
    const file = join(directory, 'secret.key');
    writeFileSync(file, content);
    expect(() => loadSecret(directory, null)).toThrow(
      expect.objectContaining({
        code: 'data_dir_unusable',
        message: expect.stringContaining(file),
        hint: expect.stringContaining('backup'),
      }),
    );
    expect(readFileSync(file, 'utf8')).toBe(content);
  },
);

test('that cannot be read or made is an error that names the file', () => {
  const directory = dataDir();
  for (const path of [join(directory, 'missing'), fileInPlaceOf(directory)]) {
    expect(() => loadSecret(path, null)).toThrow(
      expect.objectContaining({
        code: 'data_dir_unusable',
        message: expect.stringContaining(join(path, 'secret.key')),
        hint: expect.any(String),
      }),
    );
  }
});

/** A data directory whose `secret.key` is a directory. */
function fileInPlaceOf(directory: string): string {
  const path = join(directory, 'odd');
  mkdirSync(join(path, 'secret.key'), { recursive: true });
  return path;
}

test.skipIf(process.platform === 'win32')('that may not be read is never replaced', () => {
  const directory = dataDir();
  loadSecret(directory, null);
  const file = join(directory, 'secret.key');
  const before = readFileSync(file, 'utf8');
  chmodSync(file, 0);
  const isRoot = process.getuid?.() === 0;
  // Root may read anything, but the owner of the directory could put another file
  // there.
  if (isRoot) for (const path of [file, directory]) chownSync(path, NOBODY, NOBODY);
  if (isRoot) process.seteuid?.(NOBODY);
  try {
    expect(() => loadSecret(directory, null)).toThrow(
      expect.objectContaining({ code: 'data_dir_unusable' }),
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  chmodSync(file, 0o600);
  expect(readFileSync(file, 'utf8')).toBe(before);
});
