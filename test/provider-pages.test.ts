import { execFile } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { EventHeadAnswer } from '../src/api/events/event-answer.ts';
import { CATALOGUE } from '../src/providers/catalogue.ts';
import { accountShell, hookrelay, type Shell } from './cli/command-line.ts';
import type { Account } from './fixtures/account.ts';
import { request } from './fixtures/http-request.ts';
import { failOnLeaks } from './fixtures/leaks.ts';
import { serverOfFile, tempDir } from './fixtures/running-server.ts';

/*
 * Runs every command of docs/providers/ in the order of the page, and looks whether the
 * requests are verified as the page says.
 */

failOnLeaks();
const server = serverOfFile();

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../docs/providers', import.meta.url));
const MOST_LINES = 80;
const PAGES = globSync('*.md', { cwd: ROOT })
  .map((file) => basename(file, '.md'))
  .sort();

/** What stands in secret.txt, unless the page makes it. */
const SECRETS: Record<string, string> = {
  custom: 'user:a-password-of-many-letters',
  discord: 'b2'.repeat(32),
  sendgrid:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==',
  'standard-webhooks': 'whsec_c2Vjb25kLXNlY3JldC1vZi0yNC1ieQ==',
};

/** The verification of each request that the page sends, the oldest first. */
const STATES: Record<string, string[]> = {
  custom: ['verified', 'authenticated', 'authenticated'],
  // Tried with a key of one's own, before it is added.
  discord: ['failed'],
  paypal: [],
  sendgrid: ['failed'],
};

/** Pages whose first request is a repeat when it comes again. */
const ONCE = ['custom', 'github', 'shopify', 'slack', 'standard-webhooks', 'stripe', 'twilio'];

interface Step {
  language: string;
  text: string;
}

/** The commands of a page: each line of `sh`, each block of `bash`, which is the sender's. */
function stepsOf(page: string): Step[] {
  const text = readFileSync(join(ROOT, `${page}.md`), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(
    ([, language = '', block = '']) =>
      language === 'sh'
        ? block
            .trimEnd()
            .split('\n')
            .map((line) => ({ language, text: line }))
        : [{ language, text: block }],
  );
}

/** A person with a directory of their own, who follows a page. */
class Reader {
  readonly #shell: Shell;
  readonly #directory = tempDir();
  /** The latest endpoint's. */
  captureUrl = '';

  constructor(shell: Shell, page: string) {
    this.#shell = shell;
    this.#write(SECRETS[page] ?? 'a-signing-secret-of-the-page');
  }

  #write(secret: string): void {
    writeFileSync(join(this.#directory, 'secret.txt'), `${secret}\n`);
    server.secrets.push(secret);
  }

  async follow({ language, text }: Step): Promise<void> {
    if (language === 'sh' && text.startsWith('hookrelay ')) {
      await this.#hookrelay(text.slice('hookrelay '.length));
    } else {
      const env = { ...process.env, CAPTURE_URL: this.captureUrl };
      await run('bash', ['-euc', text], { cwd: this.#directory, env });
    }
  }

  async #hookrelay(line: string): Promise<void> {
    const { words, stdin } = this.#parsed(line);
    const { code, stdout, stderr } = await hookrelay(this.#shell, words, stdin);
    expect([line, code, stderr]).toEqual([line, 0, stderr]);
    this.captureUrl = /^capture url: +(\S+)$/m.exec(stdout)?.[1] ?? this.captureUrl;
  }

  /** The words of a command line with quotes, `$(head -n1 FILE)` and `<FILE`. */
  #parsed(line: string): { words: string[]; stdin?: string } {
    const words: string[] = [];
    let stdin: string | undefined;
    for (const [, single, double, plain = ''] of line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)) {
      if (single !== undefined) words.push(single);
      else if (double !== undefined) words.push(this.#expanded(double));
      else if (plain.startsWith('<')) stdin = this.#read(plain.slice(1));
      else words.push(plain);
    }
    return stdin === undefined ? { words } : { words, stdin };
  }

  #expanded(text: string): string {
    return text.replace(/\$\(head -n1 ([\w.]+)\)/g, (_, file: string) => this.#firstLine(file));
  }

  #firstLine(file: string): string {
    return this.#read(file).split('\n', 1)[0] as string;
  }

  #read(file: string): string {
    return readFileSync(join(this.#directory, file), 'utf8');
  }
}

async function readerOf(page: string): Promise<{ reader: Reader; shell: Shell; account: Account }> {
  const { shell, account } = await accountShell(server);
  return { reader: new Reader(shell, page), shell, account };
}

/** The account's events, the oldest first. */
async function eventsOf(account: Account): Promise<EventHeadAnswer[]> {
  const { json } = await account.call('GET', '/api/events?limit=100');
  const ids: string[] = json.data.map(({ id }: EventHeadAnswer) => id).reverse();
  const events = ids.map((id) => account.call('GET', `/api/events/${id}`));
  return (await Promise.all(events)).map((event) => event.json);
}

/** Sends the account's first request again, byte for byte; null without one. */
async function repeatFirst(shell: Shell, account: Account): Promise<string | null> {
  const [first] = await eventsOf(account);
  if (first) await hookrelay(shell, ['trigger', '--from-event', first.id]);
  return first?.id ?? null;
}

const providers = CATALOGUE.filter(({ verifies }) => verifies).map(({ name }) => name);

describe.each(PAGES)('%s', (page) => {
  test('is short, names its sources and stands for a source', () => {
    const text = readFileSync(join(ROOT, `${page}.md`), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MOST_LINES);
    if (page !== 'custom') expect(text).toMatch(/^## Sources\n\n\[.*\]\(https:/m);
    const [, source] = /--source ([\w-]+)/.exec(text) ?? [];
    expect(source).toBe(page);
  });

  if (providers.includes(page)) {
    test('its commands run, and its requests are verified as it says', async () => {
      const { reader, shell, account } = await readerOf(page);
      const steps = stepsOf(page);
      expect(steps.length).toBeGreaterThan(4);
      let repeated: string | null = null;
      for (const step of steps) {
        await reader.follow(step);
        if (ONCE.includes(page)) repeated ??= await repeatFirst(shell, account);
      }
      const events = await eventsOf(account);
      const firsts = events.filter(({ duplicate_of }) => duplicate_of === null);
      expect(firsts.map(({ verification }) => verification.state)).toEqual(
        STATES[page] ?? ['verified'],
      );
      const repeats = events.flatMap(({ duplicate_of }) => duplicate_of ?? []);
      expect(repeats).toEqual(ONCE.includes(page) ? [repeated] : []);
    });
  }
});

describe('a check of the URL is answered where the source is enforced', () => {
  test.each([
    ['meta', 'GET', '?hub.mode=subscribe&hub.challenge=c1&hub.verify_token=t', '', 'c1'],
    ['slack', 'POST', '', '{"type":"url_verification","challenge":"c2"}', 'c2'],
  ])('%s', async (page, method, query, body, answer) => {
    const { reader, account } = await readerOf(page);
    for (const step of stepsOf(page).filter(({ text }) => !text.includes('destinations add'))) {
      await reader.follow(step);
    }
    const got = await request(reader.captureUrl + query, { method, body });
    expect([got.status, got.text]).toEqual([200, answer]);
    expect((await eventsOf(account)).at(-1)?.verification).toMatchObject({ state: 'unverified' });
    const forged = await request(reader.captureUrl, { method: 'POST', body: '{"type":"other"}' });
    expect(forged.status).toBe(401);
  });
});
