import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { expect, onTestFinished } from 'vitest';
import type { Account, Reachable } from '../../fixtures/account.ts';
import { until } from '../../fixtures/until.ts';
import { CREDENTIALS } from '../browser/open-page.ts';
import { registerForPage, SESSION_PATH } from '../page-account.ts';

/** Debian's firefox-esr, or the one in FIREFOX. */
const EXECUTABLE = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** Expected changes take milliseconds, and seconds on a busy machine. */
const PATIENCE_MS = 60_000;

/** A start of the browser makes its profile and reads 200 MB of program. */
const START_MS = 60_000;

let launched: Promise<Browser> | undefined;

/**
 * The Firefox of this worker process, for all of its files: a start takes seconds. It ends with
 * the process.
 */
function firefoxOfWorker(): Promise<Browser> {
  launched ??= start();
  return launched;
}

function start(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(
      `${EXECUTABLE} is missing: apt-get install firefox-esr, or name another one by FIREFOX`,
    );
  }
  const home = mkdtempSync(path.join(tmpdir(), 'hookrelay-firefox-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  return launch({
    browser: 'firefox',
    protocol: 'webDriverBiDi',
    executablePath: EXECUTABLE,
    userDataDir: path.join(home, 'profile'),
    // What Firefox keeps beside its profile goes too.
    env: { ...process.env, HOME: home, TZ: 'UTC' },
    timeout: START_MS,
    extraPrefsFirefox: {
      // A test reads what the page has copied without a click on the browser's own button.
      'dom.events.testing.asyncClipboard': true,
      'ui.systemUsesDarkTheme': 0,
    },
  });
}

/**
 * A page with cookies of its own. At the end of the test there must be no policy violation, no
 * thrown error and no error on the console.
 */
export async function openFirefox(url: string, options: FirefoxOptions = {}): Promise<Page> {
  const page = await newPage(options);
  await page.goto(url);
  return page;
}

/** A new account of a server, and its page at the account's first endpoint. */
export async function openAccount(
  server: Reachable,
  options: FirefoxOptions = {},
): Promise<{ page: Page; account: Account; captureUrl: string; endpointId: string }> {
  const { account, endpointId, cookie } = await registerForPage(server);
  const page = await newPage(options);
  const { hostname: domain } = new URL(server.url);
  await page
    .browserContext()
    .setCookie({ ...cookie, domain, path: SESSION_PATH, httpOnly: true, sameSite: 'Strict' });
  await page.goto(`${server.url}/endpoints/${endpointId}`);
  await page.locator('.connection.is-live').wait();
  await page.locator('.endpoint-head .url-text').wait();
  const captureUrl = (await page.$eval('.endpoint-head .url-text', (one) => one.textContent)) ?? '';
  return { page, account, captureUrl, endpointId };
}

export interface FirefoxOptions {
  /** Complaints that the test itself causes. */
  expected?: RegExp;
  width?: number;
  height?: number;
}

async function newPage(options: FirefoxOptions): Promise<Page> {
  const { expected, width = 1280, height = 800 } = options;
  const browser = await firefoxOfWorker();
  const context = await browser.createBrowserContext();
  const complaints: string[] = [];
  onTestFinished(async () => {
    await context.close();
    expect(complaints.filter((text) => !expected?.test(text))).toEqual([]);
  });
  const page = await context.newPage();
  await page.setViewport({ width, height });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.exposeFunction('complain', (text: string) => void complaints.push(text));
  await page.evaluateOnNewDocument(() => {
    const { complain } = window as unknown as { complain(text: string): void };
    document.addEventListener('securitypolicyviolation', (event) => {
      complain(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${String(error)}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  return page;
}

/** The selector of an element by its role and name, as a screen reader knows it. */
export const named = (role: string, name: string): string =>
  `::-p-aria([name="${name}"][role="${role}"])`;

/** Waits until an element contains a text. */
export async function shows(page: Page, selector: string, text: string): Promise<void> {
  await until(
    `${selector} shows ${text}`,
    () =>
      page.evaluate(
        (wanted, words) =>
          [...document.querySelectorAll(wanted)].some((one) => one.textContent?.includes(words)),
        selector,
        text,
      ),
    PATIENCE_MS,
  );
}

/** Waits until there are as many elements. */
export async function counts(page: Page, selector: string, count: number): Promise<void> {
  await until(
    `there are ${count} of ${selector}`,
    async () => (await page.$$(selector)).length === count,
    PATIENCE_MS,
  );
}

/** Goes to a path as a link of the page does, and waits for `ready`, a selector. */
export async function visit(page: Page, path: string, ready: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.locator(ready).wait();
}

/** Creates the first account, and waits until its endpoint is shown and live. */
export async function signUp(page: Page): Promise<{ captureUrl: string; endpointId: string }> {
  await fillCredentials(page, CREDENTIALS, 'Create account');
  await page.locator('.endpoint-head .url-text').wait();
  const captureUrl = (await page.$eval('.endpoint-head .url-text', (one) => one.textContent)) ?? '';
  return { captureUrl, endpointId: new URL(page.url()).pathname.split('/')[2] as string };
}

export const signIn = (page: Page, account: Credentials): Promise<void> =>
  fillCredentials(page, account, 'Sign in');

interface Credentials {
  email: string;
  password: string;
}

async function fillCredentials(page: Page, account: Credentials, button: string): Promise<void> {
  await page.locator('input[name=email]').fill(account.email);
  await page.locator('input[name=password]').fill(account.password);
  await page.locator(named('button', button)).click();
  await page.locator('.connection.is-live').wait();
}
