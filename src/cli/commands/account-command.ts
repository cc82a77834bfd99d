import type { Command } from 'commander';
import type { Tokens } from '../client/api-client.ts';
import { type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import { printable } from '../terminal/output.ts';
import { ask, canPrompt, readSecret } from '../terminal/prompt.ts';

interface LoginFlags {
  email?: string;
  passwordStdin?: boolean;
}

interface User {
  id: string;
  email: string;
  plan: string;
}

interface Me extends User {
  session_id: string | null;
  expires_at: string | null;
  /** Engine of AI operations; older servers omit it. */
  ai?: { engine: string | null; hint?: string };
}

/** `hookrelay register`, `login`, `logout` and `whoami`. */
export function addAccountCommand(program: Command): void {
  addLoginOptions(
    program.command('register').description('create an account and log in to it'),
  ).action(withRemote(register, { asPerson: true, makesProfile: true }));
  addLoginOptions(program.command('login').description('log in, and store the login')).action(
    withRemote(login, { asPerson: true, makesProfile: true }),
  );
  remote(
    program
      .command('logout')
      .description('log out, here and on the server')
      .option('--json', 'print JSON: whether a login ended'),
    'logout',
    'logout --profile work',
  ).action(withRemote(logout, { asPerson: true }));
  remote(
    program
      .command('whoami')
      .description('show the account and the server of the login')
      .option('--json', 'print JSON: the account, as the API shows it, and the server'),
    'whoami',
    'whoami --json',
  ).action(withRemote(whoami));
}

function addLoginOptions(command: Command): Command {
  const name = command.name();
  return remote(
    command
      .option('--email <email>', 'email address of the account; a terminal asks for it')
      .option('--password-stdin', 'read the password from stdin')
      .option('--json', 'print JSON: the account, the server and the profile'),
    `${name} --email ada@example.com`,
    `${name} --url https://hooks.example.com --email ada@example.com --password-stdin <password.txt`,
    `${name} --profile work --url https://hooks.example.com`,
  );
}

async function register(context: Remote, flags: LoginFlags): Promise<void> {
  const credentials = await askCredentials(context, flags, true);
  await signIn(context, '/api/auth/register', credentials);
}

async function login(context: Remote, flags: LoginFlags): Promise<void> {
  const credentials = await askCredentials(context, flags, false);
  await signIn(context, '/api/auth/login', credentials);
}

async function askCredentials(
  { client, out }: Remote,
  flags: LoginFlags,
  isNew: boolean,
): Promise<{ email: string; password: string }> {
  const canAsk = canPrompt();
  if (!canAsk && !(flags.email && flags.passwordStdin)) {
    throw usageError(
      'there is no terminal to ask on',
      'pass --email and --password-stdin, with the password on stdin',
    );
  }
  if (isCleartext(client.url)) {
    out.note(`warning: ${client.url} is not https: the network can read the password`);
  }
  const email = flags.email ?? (await ask('Email: '));
  const password = await readSecret('Password: ');
  if (isNew && process.stdin.isTTY && (await readSecret('Repeat it: ')) !== password) {
    throw failure('the passwords differ');
  }
  return { email, password };
}

async function signIn({ client, out, profile }: Remote, path: string, body: object): Promise<void> {
  const { user, ...tokens } = await client.public<Tokens & { user: User }>('POST', path, { body });
  profile.write({ url: client.url, email: user.email, ...tokens });
  if (out.json) {
    const shown = { user, url: client.url, profile: profile.name };
    out.jsonValue(shown);
    return;
  }
  out.note(
    `Logged in to ${client.url} as ${printable(user.email)} (${printable(user.plan)} plan).`,
  );
  if (process.env.HOOKRELAY_TOKEN) {
    out.note('HOOKRELAY_TOKEN is set: commands use that token, except with --profile.');
  }
}

async function logout({ client, out, profile }: Remote): Promise<void> {
  const { refreshToken } = client;
  if (refreshToken === null) {
    if (out.json) out.jsonValue({ logged_out: false });
    else out.note(`Nobody was logged in at ${client.url}.`);
    return;
  }
  // The profile goes first: a server that fails must not keep the session here.
  profile.remove();
  try {
    await client.public('POST', '/api/auth/logout', { body: { refreshToken } });
  } catch (error) {
    out.note('Logged out here. The session on the server stays for up to 30 days:');
    throw error;
  }
  if (out.json) out.jsonValue({ logged_out: true });
  else out.note(`Logged out of ${client.url}.`);
}

async function whoami({ client, out }: Remote): Promise<void> {
  const me = await client.call<Me>('GET', '/api/me');
  out.object({ ...me, url: client.url }, () => [
    ['email', me.email],
    ['plan', me.plan],
    ['id', me.id],
    ['server', client.url],
    ['by', me.session_id === null ? 'API token' : `session ${me.session_id}`],
    ...(me.ai ? [['ai', me.ai.engine ?? `none (${me.ai.hint ?? ''})`] as [string, string]] : []),
  ]);
}

/** Whether a password crosses a network unencrypted. */
function isCleartext(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
