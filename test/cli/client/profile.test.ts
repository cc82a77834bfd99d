import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Profile, ProfileFile } from '../../../src/cli/client/profile.ts';
import { tempDir } from '../../fixtures/running-server.ts';

const PROFILE: Profile = { url: 'http://x', email: 'a@b', accessToken: 'one', refreshToken: 'r1' };

function inHome(name = 'default'): { file: ProfileFile; home: string } {
  const home = tempDir();
  return { file: new ProfileFile(name, { XDG_CONFIG_HOME: home }), home };
}

test('the profile is readable by its owner only, and leaves no temporary files', () => {
  const { file, home } = inHome();
  expect(file.read()).toBeNull();
  file.write(PROFILE);
  file.write({ ...PROFILE, accessToken: 'two' });
  expect(file.read()).toEqual({ ...PROFILE, accessToken: 'two' });
  const folder = path.join(home, 'hookrelay', 'profiles');
  expect(readdirSync(folder)).toEqual(['default.json']);
  expect(statSync(file.file).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  file.remove();
  file.remove();
  expect(file.read()).toBeNull();
});

test('the profile is replaced only if it still has the expected content', () => {
  const { file } = inHome();
  file.write(PROFILE);
  const next = { ...PROFILE, accessToken: 'two', refreshToken: 'r2' };
  file.replace(PROFILE, next);
  expect(file.read()).toEqual(next);
  // A slow command arrives with an older answer, and another one after the logout.
  file.replace(PROFILE, { ...PROFILE, refreshToken: 'older' });
  expect(file.read()).toEqual(next);
  file.remove();
  file.replace(next, next);
  expect(file.read()).toBeNull();
});

test.each(['', '../x', 'a/b', '.', 'é', 'x'.repeat(65)])(
  'a profile cannot be called "%s"',
  (name) => {
    expect(() => inHome(name)).toThrow('cannot be the name of a profile');
  },
);

test.each(['', '{', '[]', '{"url": 1}'])('a broken file (%s) is named with the remedy', (text) => {
  const { file, home } = inHome();
  mkdirSync(path.join(home, 'hookrelay', 'profiles'), { recursive: true });
  writeFileSync(file.file, text);
  expect(() => file.read()).toThrow(expect.objectContaining({ code: 'config_invalid' }));
});

test('a directory that cannot be written is named', () => {
  const { file, home } = inHome();
  writeFileSync(path.join(home, 'hookrelay'), 'a file where a folder should be');
  expect(file.read()).toBeNull();
  expect(() => file.write(PROFILE)).toThrow(`cannot write ${file.file}`);
});

test('a relative XDG_CONFIG_HOME is ignored', () => {
  expect(path.isAbsolute(new ProfileFile('x', { XDG_CONFIG_HOME: 'relative' }).file)).toBe(true);
});
