import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { emailSchema, newPasswordSchema } from '../../accounts/credentials.ts';
import { newId } from '../../core/ids.ts';
import { PLANS, type Plan } from '../../core/model.ts';
import { counted } from '../../core/text/words.ts';
import type { UserOverview } from '../../store/contract/admin-store.ts';
import { examplesText } from '../client/remote-command.ts';
import { failure } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { type Local, local, withAdmin } from '../data/local-command.ts';
import type { Column } from '../terminal/output.ts';
import { readSecret, requirePrompt } from '../terminal/prompt.ts';
import { timeText } from '../terminal/value-text.ts';

interface UserView {
  id: string;
  email: string;
  plan: Plan;
  created_at: string;
  endpoints: number;
  events: number;
  last_seen_at: string | null;
}

const COLUMNS: Column<UserView>[] = [
  { title: 'email', value: ({ email }) => email, elastic: true },
  { title: 'plan', value: ({ plan }) => plan },
  { title: 'endpoints', value: ({ endpoints }) => String(endpoints), align: 'right' },
  { title: 'events', value: ({ events }) => String(events), align: 'right' },
  { title: 'created', value: ({ created_at }) => timeText(created_at), optional: true },
  {
    title: 'last seen',
    value: ({ last_seen_at }) => (last_seen_at ? timeText(last_seen_at) : 'never'),
    optional: true,
  },
];

const addCreateFlags = commandPart((command) =>
  command
    .requiredOption('--email <email>', 'email address of the account', email)
    .option('--password-stdin', 'read the password from stdin')
    .addOption(
      new Option('--plan <plan>', `plan of the account: ${PLANS.join(', ')}`)
        .env('HOOKRELAY_DEFAULT_PLAN')
        .default('free')
        .argParser(plan),
    ),
);

export function addUsersCommand(program: Command): void {
  const group = program
    .command('users')
    .description('accounts in the data directory: list, create, set-plan, reset-password')
    .addHelpText('after', examplesText(['users list', 'users set-plan ada@example.com pro']));
  local(group.command('list').description('list all accounts, oldest first'), 'users list').action(
    withAdmin(async ({ admin, out }) => {
      const users = (await admin.users.list()).map(viewOf);
      out.table(users, COLUMNS, 'There is no account. Make one: hookrelay users create --email E');
    }),
  );
  local(
    addCreateFlags(
      group.command('create').description('create an account, even with --registration closed'),
    ),
    'users create --email ada@example.com',
    'users create --email ada@example.com --plan pro --password-stdin <password.txt',
  ).action(withAdmin(create));
  local(
    group
      .command('set-plan')
      .description('change the plan of an account, at once')
      .argument('<email>', 'email address of the account', email)
      .argument('<plan>', `new plan: ${PLANS.join(', ')}`, plan),
    'users set-plan ada@example.com pro',
  ).action(withAdmin(setPlan));
  local(
    group
      .command('reset-password')
      .description('replace the password of an account and end its sessions')
      .argument('<email>', 'email address of the account', email)
      .option('--password-stdin', 'read the password from stdin'),
    'users reset-password ada@example.com',
    'users reset-password ada@example.com --password-stdin <password.txt',
  ).action(withAdmin(resetPassword));
}

async function create(
  { admin, config, out }: Local,
  flags: FlagsOf<typeof addCreateFlags>,
): Promise<void> {
  const passwordHash = await readPassword(flags);
  const createdAt = Date.now();
  const user = { id: newId('usr', createdAt), email: flags.email, plan: flags.plan };
  const { database } = await admin.inspect(createdAt);
  await admin.users.create({ ...user, passwordHash, createdAt });
  if (database.state === 'missing') out.note(`Created a database in ${config.dataDir}.`);
  out.object(user, () => [
    ['email', user.email],
    ['plan', user.plan],
    ['id', user.id],
  ]);
}

async function setPlan({ admin, out }: Local, email: string, plan: Plan): Promise<void> {
  if (!(await admin.users.setPlan(email, plan, Date.now()))) throw unknownAccount(email);
  out.done({ email, plan }, `${email} has the ${plan} plan now.`);
}

async function resetPassword(
  { admin, out }: Local,
  email: string,
  flags: { passwordStdin?: boolean },
): Promise<void> {
  const passwordHash = await readPassword(flags);
  const reset = await admin.users.setPassword(email, passwordHash, Date.now());
  if (!reset) throw unknownAccount(email);
  const { sessionsEnded, apiTokens } = reset;
  out.done(
    { email, sessions_ended: sessionsEnded, api_tokens: apiTokens },
    `${email} has a new password; ${counted(sessionsEnded, 'session')} ended.`,
  );
  if (apiTokens > 0) {
    out.note(
      `The account keeps ${counted(apiTokens, 'API token')}. The owner can revoke them ` +
        '(hookrelay tokens list).',
    );
  }
}

/** Reads a password and returns its hash. Asks twice on a terminal, because typing is hidden. */
async function readPassword({ passwordStdin }: { passwordStdin?: boolean }): Promise<string> {
  if (!passwordStdin) requirePrompt('pass --password-stdin, with the password on stdin');
  const typed = await readSecret('New password: ');
  if (process.stdin.isTTY && (await readSecret('Repeat it: ')) !== typed) {
    throw failure('the passwords differ');
  }
  const checked = v.safeParse(newPasswordSchema, typed);
  if (!checked.success) throw failure(`the password ${checked.issues[0].message}`);
  const { hashPassword } = await import('../../accounts/password-hash.ts');
  return hashPassword(checked.output);
}

function viewOf({ createdAt, lastSeenAt, ...user }: UserOverview): UserView {
  return {
    id: user.id,
    email: user.email,
    plan: user.plan,
    created_at: new Date(createdAt).toISOString(),
    endpoints: user.endpoints,
    events: user.events,
    last_seen_at: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
  };
}

function plan(value: string): Plan {
  const found = PLANS.find((one) => one === value.trim());
  if (found) return found;
  throw new InvalidArgumentError(`Expected ${PLANS.slice(0, -1).join(', ')} or ${PLANS.at(-1)}.`);
}

function email(value: string): string {
  const parsed = v.safeParse(emailSchema, value);
  if (parsed.success) return parsed.output;
  throw new InvalidArgumentError('Expected an email address.');
}

function unknownAccount(email: string) {
  return failure(`there is no account ${email}`, 'hookrelay users list');
}
