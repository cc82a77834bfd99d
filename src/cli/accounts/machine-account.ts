import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Config } from '../../config/config.ts';
import { HookrelayError } from '../../core/errors.ts';
import { makeDirectory } from '../../core/runtime/make-directory.ts';
import { ApiClient, type ServerConnection, type SessionTokens } from '../client/api-client.ts';
import type { Profile, ProfileFile } from '../client/profile.ts';
import { hasCode, withHint } from '../command-error.ts';

/** Random bytes in a generated password. */
const PASSWORD_BYTES = 18;
/** Random bytes in the suffix that makes a taken name unique. */
const SUFFIX_BYTES = 3;

const accountSchema = v.object({
  /** Null for a server on PostgreSQL. */
  dataDir: v.nullable(v.string()),
  /** URL of the server at the last login. */
  url: v.string(),
  email: v.string(),
  password: v.string(),
});
type MachineAccount = v.InferOutput<typeof accountSchema>;

/** Version 0.1 wrote a single account, without its data directory. */
const fileSchema = v.union([
  v.array(accountSchema),
  v.pipe(
    v.omit(accountSchema, ['dataDir']),
    v.transform((one) => [{ ...one, dataDir: null }]),
  ),
]);

/**
 * The file (mode 0600) of the accounts that `listen` made for this machine. It has their passwords,
 * because sessions end after 90 days. Without a password, the account and its capture URL would
 * then be lost. Each account belongs to a data directory, because a server's address may change.
 */
export class MachineAccountFile {
  readonly #profile: ProfileFile;

  constructor(profile: ProfileFile) {
    this.#profile = profile;
  }

  /** Throws `config_invalid` without a home directory. */
  get file(): string {
    const { file, name } = this.#profile;
    return join(dirname(dirname(file)), 'listen', `${name}.json`);
  }

  /** Returns the account for a data directory or for a server's URL; null if there is none. */
  find(place: Pick<MachineAccount, 'dataDir' | 'url'>): MachineAccount | null {
    const all = this.#read();
    const atUrl = { dataDir: null, url: place.url };
    return (
      all.find((one) => isSamePlace(one, place)) ??
      all.find((one) => isSamePlace(one, atUrl)) ??
      null
    );
  }

  made({ url, email }: Pick<Profile, 'url' | 'email'>): boolean {
    return this.#read().some((one) => one.url === url && one.email === email);
  }

  keepPassword({ url, email }: Pick<Profile, 'url' | 'email'>, password: string): void {
    const account = this.#read().find((one) => one.url === url && one.email === email);
    if (account) this.write({ ...account, password });
  }

  write(account: MachineAccount): void {
    const others = this.#read().filter((one) => !isSamePlace(one, account));
    makeDirectory(dirname(this.file));
    const draft = `${this.file}.${process.pid}`;
    const text = JSON.stringify([account, ...others], null, 2);
    writeFileSync(draft, `${text}\n`, { mode: 0o600 });
    renameSync(draft, this.file);
  }

  /** Returns no accounts if the file is missing or unreadable. */
  #read(): MachineAccount[] {
    try {
      return v.parse(fileSchema, JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      return [];
    }
  }
}

function isSamePlace(
  one: Pick<MachineAccount, 'dataDir' | 'url'>,
  other: Pick<MachineAccount, 'dataDir' | 'url'>,
): boolean {
  return one.dataDir === other.dataDir && (one.dataDir !== null || one.url === other.url);
}

/** Returns the host name without its domain, because the domain changes with the network. */
export function machineName(): string {
  const [name = ''] = hostname().split('.');
  // These characters are valid both in host names and in email addresses.
  return name.replace(/[^A-Za-z0-9-]|^-+|-+$/g, '').slice(0, 60) || 'laptop';
}

/**
 * Returns a client that is logged in to this machine's server. Uses the profile's session if it is
 * valid. Otherwise logs in to this machine's account or creates it, and saves the login.
 *
 * Throws `not_logged_in` for a person's own login that has ended or belongs to another server. A
 * new account would not have that person's events.
 */
export async function signedIn(
  connection: ServerConnection,
  file: MachineAccountFile,
  { database, dataDir }: Pick<Config, 'database' | 'dataDir'>,
  note: (text: string) => void,
): Promise<ApiClient> {
  const client = new ApiClient(connection);
  try {
    await client.call('GET /api/me');
    return client;
  } catch (error) {
    if (!hasCode(error, 'not_logged_in')) throw error;
    const { profile, url } = connection;
    const place = { dataDir: database === null ? dataDir : null, url };
    const known = file.find(place);
    const saved = profile.read();
    if (saved !== null && !file.made(saved)) throw notReplaced(error, saved, connection);
    const signIn = (known && (await login(client, known))) ?? (await register(client));
    file.write({ ...place, email: signIn.email, password: signIn.password });
    profile.write({ url, email: signIn.email, ...signIn.tokens });
    if (signIn.isNew) note(`made the account ${signIn.email}, its password is in ${file.file}`);
    return new ApiClient(connection);
  }
}

/** Returns the error for a person's own login, which `listen` doesn't replace. */
function notReplaced(
  error: HookrelayError,
  saved: Profile,
  { url }: Pick<ServerConnection, 'url'>,
): HookrelayError {
  if (saved.url === url) return error;
  const hint = `hookrelay login --url ${url}, or use another profile, such as --profile local`;
  return withHint(error, hint);
}

interface SignIn {
  email: string;
  password: string;
  tokens: SessionTokens;
  isNew: boolean;
}

/** Returns null if the server doesn't know the account, because the database is new. */
async function login(
  client: ApiClient,
  { email, password }: MachineAccount,
): Promise<SignIn | null> {
  try {
    const tokens = await client.public('POST /api/auth/login', { body: { email, password } });
    return { email, password, tokens: tokensOf(tokens), isNew: false };
  } catch (error) {
    if (hasCode(error, 'invalid_credentials')) return null;
    throw error;
  }
}

async function register(client: ApiClient): Promise<SignIn> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const suffix = randomBytes(SUFFIX_BYTES).toString('hex');
  const emails = [`${userName()}@${machineName()}`, `${userName()}-${suffix}@${machineName()}`];
  for (const email of emails.map((one) => one.toLowerCase())) {
    try {
      const tokens = await client.public('POST /api/auth/register', { body: { email, password } });
      return { email, password, tokens: tokensOf(tokens), isNew: true };
    } catch (error) {
      // An older account of this machine may have this name, and its password is lost.
      if (!hasCode(error, 'email_taken')) throw error;
    }
  }
  throw new HookrelayError('email_taken', 'no account could be made for this machine', {
    hint: 'run hookrelay register',
  });
}

function tokensOf({ accessToken, refreshToken }: SessionTokens): SessionTokens {
  return { accessToken, refreshToken };
}

function userName(): string {
  let name = '';
  try {
    name = userInfo().username;
  } catch {
    // In a container, the user id may have no passwd entry.
  }
  return name.replace(/[^\w-]/g, '') || 'me';
}
