import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { HookrelayError } from '../../core/errors.ts';
import { makeDirectory } from '../../core/make-directory.ts';
import { ApiClient, type Connection, type Tokens } from '../api-client.ts';
import type { ProfileFile } from '../profile.ts';

/** 144 random bits. */
const PASSWORD_BYTES = 18;
/** Where the plain name is taken. */
const SUFFIX_BYTES = 3;

const credentialsSchema = v.object({ url: v.string(), email: v.string(), password: v.string() });
type Credentials = v.InferOutput<typeof credentialsSchema>;

/**
 * Where the account that was made for this machine is remembered with its
 * password, mode 0600: a session ends after 90 days, and with it the capture URL
 * would be lost.
 */
export class MachineAccountFile {
  readonly file: string;

  /** Throws `config_invalid` where there is no home. */
  constructor(profile: ProfileFile) {
    this.file = join(dirname(dirname(profile.file)), 'listen', `${profile.name}.json`);
  }

  /** Null when there is none, or none that can be read. */
  read(): Credentials | null {
    try {
      return v.parse(credentialsSchema, JSON.parse(readFileSync(this.file, 'utf8')));
    } catch {
      return null;
    }
  }

  write(credentials: Credentials): void {
    makeDirectory(dirname(this.file));
    const draft = `${this.file}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.file);
  }
}

/** What this machine is called where it needs a name: without its domain, which changes with the network. */
export function machineName(): string {
  const [name = ''] = hostname().split('.');
  // What a host name and an email address may hold.
  return name.replace(/[^A-Za-z0-9-]|^-+|-+$/g, '').slice(0, 60) || 'laptop';
}

/**
 * A client that is logged in at this machine's own server: by the profile's
 * session, else by the account that was made for this machine, which is made
 * when there is none, and saved to the profile.
 *
 * Throws `not_logged_in` when the profile is somebody's whose session has ended:
 * their events are not in another account.
 */
export async function signedIn(
  connection: Connection,
  note: (text: string) => void,
): Promise<ApiClient> {
  const client = new ApiClient(connection);
  try {
    await client.call('GET', '/api/me');
    return client;
  } catch (error) {
    if (!(error instanceof HookrelayError) || error.code !== 'not_logged_in') throw error;
    const { profile, url } = connection;
    const account = new MachineAccountFile(profile);
    const known = account.read();
    const saved = profile.read();
    if (saved?.url === url && saved.email !== known?.email) throw error;
    const credentials = known?.url === url ? known : null;
    const signIn = (credentials && (await login(client, credentials))) ?? (await register(client));
    account.write({ url, email: signIn.email, password: signIn.password });
    profile.write({ url, email: signIn.email, ...signIn.tokens });
    if (signIn.isNew) note(`made the account ${signIn.email}, its password is in ${account.file}`);
    return new ApiClient(connection);
  }
}

interface SignIn {
  email: string;
  password: string;
  tokens: Tokens;
  isNew: boolean;
}

/** Null when the server doesn't know it: it has a new database. */
async function login(client: ApiClient, { email, password }: Credentials): Promise<SignIn | null> {
  try {
    const tokens = await client.public<Tokens>('POST', '/api/auth/login', {
      body: { email, password },
    });
    return { email, password, tokens: tokensOf(tokens), isNew: false };
  } catch (error) {
    if (error instanceof HookrelayError && error.code === 'invalid_credentials') return null;
    throw error;
  }
}

async function register(client: ApiClient): Promise<SignIn> {
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const suffix = randomBytes(SUFFIX_BYTES).toString('hex');
  const emails = [`${userName()}@${machineName()}`, `${userName()}-${suffix}@${machineName()}`];
  for (const email of emails.map((one) => one.toLowerCase())) {
    try {
      const tokens = await client.public<Tokens>('POST', '/api/auth/register', {
        body: { email, password },
      });
      return { email, password, tokens: tokensOf(tokens), isNew: true };
    } catch (error) {
      // Of a time whose password is lost.
      if (!(error instanceof HookrelayError) || error.code !== 'email_taken') throw error;
    }
  }
  throw new HookrelayError('email_taken', 'no account could be made for this machine', {
    hint: 'run hookrelay register',
  });
}

function tokensOf({ accessToken, refreshToken }: Tokens): Tokens {
  return { accessToken, refreshToken };
}

function userName(): string {
  let name = '';
  try {
    name = userInfo().username;
  } catch {
    // A container with a user id that no passwd line has.
  }
  return name.replace(/[^\w-]/g, '') || 'me';
}
