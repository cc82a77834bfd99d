import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import { makeDirectory } from '../../core/runtime/make-directory.ts';

export const DEFAULT_PROFILE = 'default';
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

const profileSchema = v.object({
  url: v.string(),
  email: v.string(),
  accessToken: v.string(),
  refreshToken: v.string(),
});

export type Profile = v.InferOutput<typeof profileSchema>;

/**
 * The file of a profile's login, with mode 0600. It is in `$XDG_CONFIG_HOME/hookrelay/profiles` or
 * `~/.config/hookrelay/profiles`.
 */
export class ProfileFile {
  readonly name: string;
  /** Null without a home directory, for example if a container's user has no passwd entry. */
  readonly #directory: string | null;

  /** Throws `config_invalid` if the name isn't safe as a file name. */
  constructor(name: string, env: NodeJS.ProcessEnv = process.env) {
    if (!NAME.test(name)) {
      throw new HookrelayError('config_invalid', `"${name}" cannot be the name of a profile`, {
        hint: 'use letters, digits, - and _',
      });
    }
    this.name = name;
    const home = configHome(env);
    this.#directory = home && join(home, 'hookrelay', 'profiles');
  }

  /** Throws `config_invalid` if there is no home directory. */
  get file(): string {
    if (this.#directory !== null) return join(this.#directory, `${this.name}.json`);
    throw new HookrelayError('config_invalid', 'this user has no home directory for a profile', {
      hint: 'set XDG_CONFIG_HOME, or use HOOKRELAY_URL and HOOKRELAY_TOKEN instead of a login',
    });
  }

  missing(): HookrelayError {
    const names = this.#names();
    const others = names.length > 0 ? `profiles: ${names.join(', ')}` : 'no one is logged in';
    return new HookrelayError('config_invalid', `there is no profile "${this.name}"`, {
      hint: `${others}; hookrelay login --profile ${this.name} creates it`,
    });
  }

  #names(): string[] {
    if (this.#directory === null || !existsSync(this.#directory)) return [];
    return readdirSync(this.#directory)
      .filter((file) => file.endsWith('.json'))
      .map((file) => basename(file, '.json'))
      .sort();
  }

  /** Returns null if there is no login. Throws `config_invalid` for a broken file. */
  read(): Profile | null {
    if (this.#directory === null) return null;
    let text: string;
    try {
      text = readFileSync(this.file, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw unusable(`cannot read ${this.file} (${code})`, error);
    }
    try {
      return v.parse(profileSchema, JSON.parse(text));
    } catch (error) {
      throw new HookrelayError('config_invalid', `${this.file} is not a profile`, {
        hint: 'remove the file and run hookrelay login',
        cause: error,
      });
    }
  }

  /**
   * Replaces the file by a rename, so that other commands never read a partial file. Throws
   * `config_invalid` if that fails.
   */
  write(profile: Profile): void {
    const { file } = this;
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    try {
      makeDirectory(this.#directory as string);
      writeFileSync(draft, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
      renameSync(draft, file);
    } catch (error) {
      if (existsSync(draft)) rmSync(draft);
      throw unusable(`cannot write ${file} (${(error as NodeJS.ErrnoException).code})`, error);
    }
  }

  /**
   * Writes `next` if the file still contains `previous`. Otherwise does nothing, because another
   * command has logged out, logged in or refreshed.
   */
  replace(previous: Profile, next: Profile): void {
    if (this.read()?.refreshToken === previous.refreshToken) this.write(next);
  }

  remove(): void {
    if (this.#directory !== null) rmSync(this.file, { force: true });
  }
}

/** Ignores a relative XDG_CONFIG_HOME, as XDG requires. Returns null without a home directory. */
function configHome(env: NodeJS.ProcessEnv): string | null {
  const configured = env.XDG_CONFIG_HOME;
  if (configured && isAbsolute(configured)) return configured;
  try {
    return join(homedir(), '.config');
  } catch {
    return null;
  }
}

function unusable(message: string, cause: unknown): HookrelayError {
  return new HookrelayError('config_invalid', message, {
    hint: 'make it accessible, or use HOOKRELAY_URL and HOOKRELAY_TOKEN instead of a login',
    cause,
  });
}
