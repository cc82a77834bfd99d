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

/** Size of a password, random bytes: 144 bits. */
const PASSWORD_BYTES = 18;
/** Size of the suffix for a taken name, random bytes. */
const SUFFIX_BYTES = 3;

const accountSchema = v.object({
  /** Null for a server on PostgreSQL. */
  dataDir: v.nullable(v.string()),
  /** URL of the last login. */
  url: v.string(),
  email: v.string(),
  password: v.string(),
});
type MachineAccount = v.InferOutput<typeof accountSchema>;

/** Version 0.1 writes one account, without its directory. */
const fileSchema = v.union([
  v.array(accountSchema),
  v.pipe(
    v.omit(accountSchema, ['dataDir']),
    v.transform((one) => [{ ...one, dataDir: null }]),
  ),
]);

/**
 * The file (mode 0600) of the accounts and passwords that `listen` made for this machine. A
 * session ends after 90 days: without the password, the capture URL would be lost. Accounts
 * belong to data directories, because a server's address may change.
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

  /** The account of a data directory, or of a server on PostgreSQL; null without one. */
  find(place: Pick<MachineAccount, 'dataDir' | 'url'>): MachineAccount | null {
    const all = this.#read();
    const atUrl = { dataDir: null, url: place.url };
    return (
      all.find((one) => isSamePlace(one, place)) ??
      all.find((one) => isSamePlace(one, atUrl)) ??
      null
    );
  }

  /** Whether a login is one of these accounts, not a person's own. */
  made({ url, email }: Pick<Profile, 'url' | 'email'>): boolean {
    return this.#read().some((one) => one.url === url && one.email === email);
  }

  /** Keeps the new password of one of these accounts. Does nothing for a person's own. */
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

  /** Empty if the file is missing or unreadable. */
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

/** The host name without its domain, which changes with the network. */
export function machineName(): string {
  const [name = ''] = hostname().split('.');
  // Characters of host names and email addresses.
  return name.replace(/[^A-Za-z0-9-]|^-+|-+$/g, '').slice(0, 60) || 'laptop';
}

/**
 * Logs in to this machine's server with the profile's session, or with this machine's account.
 * Creates the account if there is none. Saves the login to the profile.
 *
 * Throws `not_logged_in` if the profile holds a person's own login that has ended or belongs to
 * another server: a new account would not have that person's events.
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

/** The error for a person's own login, which `listen` doesn't replace. */
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

/** Null if the server doesn't know the account: its database is new. */
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
      // An older account of this machine has the name, and its password is lost.
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
