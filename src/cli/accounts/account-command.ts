import type { Command } from '@commander-js/extra-typings';
import type { CallAnswer, CallBody } from '../../api/client/typed-call.ts';
import { counted } from '../../core/text/words.ts';
import { type Remote, remote, withRemote } from '../client/remote-command.ts';
import { failure, usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { printable } from '../terminal/output.ts';
import { ask, canPrompt, readSecret, requirePrompt } from '../terminal/prompt.ts';
import { timeText } from '../terminal/value-text.ts';

const addLoginFlags = commandPart((command) =>
  command
    .option('--email <email>', 'email address of the account; without it, the command asks')
    .option('--password-stdin', 'read the password from stdin')
    .option('--json', 'print JSON: the account, the server and the profile'),
);

type LoginFlags = FlagsOf<typeof addLoginFlags>;

/** The answer of old and new servers. Old ones don't send the token's rights or the AI engine. */
type Me = Omit<CallAnswer<'GET /api/me'>, Newer> & Partial<Pick<CallAnswer<'GET /api/me'>, Newer>>;
type Newer = 'scopes' | 'endpoint_ids' | 'ai';

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
  remote(
    program
      .command('password')
      .description('change the password of the account; its other logins end')
      .option('--password-stdin', 'read two lines from stdin: the current password, the new one')
      .option('--json', 'print JSON: "changed": true'),
    'password',
    'password --password-stdin <passwords.txt',
  ).action(withRemote(changePassword, { asPerson: true }));
}

function addLoginOptions(command: Command) {
  const name = command.name();
  return remote(
    addLoginFlags(command),
    `${name} --email ada@example.com`,
    `${name} --url https://hooks.example.com --email ada@example.com --password-stdin <password.txt`,
    `${name} --profile work --url https://hooks.example.com`,
  );
}

async function register(context: Remote, flags: LoginFlags): Promise<void> {
  const credentials = await askCredentials(context, flags, true);
  await signIn(context, 'POST /api/auth/register', credentials);
}

async function login(context: Remote, flags: LoginFlags): Promise<void> {
  const credentials = await askCredentials(context, flags, false);
  await signIn(context, 'POST /api/auth/login', credentials);
}

async function askCredentials(
  { client, out }: Remote,
  flags: LoginFlags,
  isNew: boolean,
): Promise<{ email: string; password: string }> {
  if (!flags.email || !flags.passwordStdin) {
    requirePrompt('pass --email and --password-stdin, with the password on stdin');
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

type SignIn = 'POST /api/auth/register' | 'POST /api/auth/login';

async function signIn(
  { client, out, profile }: Remote,
  name: SignIn,
  body: CallBody<SignIn>,
): Promise<void> {
  const { user, ...tokens } = await client.public(name, { body });
  profile.write({ url: client.url, email: user.email, ...tokens });
  if (out.asJson({ user, url: client.url, profile: profile.name })) return;
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
    out.done({ logged_out: false }, `Nobody was logged in at ${client.url}.`);
    return;
  }
  // Remove the login first, so that it ends on this machine even if the server fails.
  profile.remove();
  try {
    await client.public('POST /api/auth/logout', { body: { refreshToken } });
  } catch (error) {
    out.note('Logged out here. The session on the server stays for up to 30 days:');
    throw error;
  }
  out.done({ logged_out: true }, `Logged out of ${client.url}.`);
}

async function whoami({ client, out }: Remote): Promise<void> {
  const me: Me = await client.call('GET /api/me');
  out.object({ ...me, url: client.url }, () => [
    ['email', me.email],
    ['plan', me.plan],
    ['id', me.id],
    ['server', client.url],
    ['by', me.session_id === null ? tokenText(me) : `session ${me.session_id}`],
    ['ai', me.ai && (me.ai.engine ?? `none (${me.ai.hint ?? ''})`)],
  ]);
}

async function changePassword(
  { client, out, profile }: Remote,
  flags: { passwordStdin?: boolean },
): Promise<void> {
  // Fail before the question if nobody is logged in.
  client.authorization();
  const body = await askPasswords(flags);
  await client.call('POST /api/auth/password', { body });
  const login = profile.read();
  if (login) {
    // Without the new password, `listen` couldn't log in again, and would make another account.
    const { MachineAccountFile } = await import('./machine-account.ts');
    new MachineAccountFile(profile).keepPassword(login, body.new);
  }
  const text = 'The password is changed. All other logins have ended; API tokens stay.';
  out.done({ changed: true }, text);
}

async function askPasswords({
  passwordStdin,
}: {
  passwordStdin?: boolean;
}): Promise<{ current: string; new: string }> {
  if (canPrompt()) {
    const current = await readSecret('Current password: ');
    const next = await readSecret('New password: ');
    if ((await readSecret('Repeat it: ')) !== next) throw failure('the passwords differ');
    return { current, new: next };
  }
  if (!passwordStdin) {
    requirePrompt('pass --password-stdin, with the current password and the new one on two lines');
  }
  const lines = (await readSecret('')).split(/\r?\n/);
  if (lines.length !== 2) {
    throw usageError(
      'stdin must have two lines',
      'the current password is on the first line, the new one on the second',
    );
  }
  const [current, next] = lines as [string, string];
  return { current, new: next };
}

/** Returns a text such as `API token, read only, 2 endpoints`. */
function tokenText({ scopes, endpoint_ids, expires_at }: Me): string {
  return [
    'API token',
    ...(scopes?.includes('write') === false ? ['read only'] : []),
    ...(endpoint_ids ? [counted(endpoint_ids.length, 'endpoint')] : []),
    ...(expires_at ? [`expires ${timeText(expires_at)}`] : []),
  ].join(', ');
}

function isCleartext(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
