import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** Debian's chromium, or the one in CHROMIUM. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Expected changes take milliseconds, and seconds on a busy machine. */
const PATIENCE_MS = 15_000;

export const CREDENTIALS = { email: 'ada@example.com', password: 'correct horse battery' };

let launched: Promise<Browser> | undefined;

/**
 * The browser of this worker process, for all of its files: a start costs as much as a test.
 * It ends with the process. Workers don't share one, because all contexts of a browser copy to
 * the same clipboard.
 */
export function browserOfWorker(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

function launch(): Promise<Browser> {
  if (!existsSync(EXECUTABLE)) {
    throw new Error(
      `${EXECUTABLE} is missing: apt-get install chromium, or name another one by CHROMIUM`,
    );
  }
  return chromium.launch({
    executablePath: EXECUTABLE,
    // Containers run as root, where the browser's own sandbox doesn't work.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

export interface PageOptions extends BrowserContextOptions {
  /** Complaints that the test itself causes. */
  expected?: RegExp;
}

export interface OpenedPage {
  page: Page;
  /** Policy violations, thrown errors, and errors on the console. */
  complaints: string[];
}

/**
 * A page in its own profile. At the end of the test there must be no policy
 * violation and no thrown error.
 */
export async function openPage(url: string, options: PageOptions = {}): Promise<OpenedPage> {
  const opened = await newPage(options);
  await opened.page.goto(url);
  return opened;
}

/** `openPage` without an address. */
export async function newPage(options: PageOptions): Promise<OpenedPage> {
  const { expected, ...contextOptions } = options;
  const browser = await browserOfWorker();
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    timezoneId: 'UTC',
    ...contextOptions,
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const complaints: string[] = [];
  await context.exposeBinding('complain', (_, text: string) => void complaints.push(text));
  await context.addInitScript(() => {
    const { complain } = window as unknown as { complain(text: string): void };
    document.addEventListener('securitypolicyviolation', (event) => {
      complain(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.stack ?? error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints.filter((text) => !expected?.test(text))).toEqual([]);
  });
  return { page, complaints };
}

/** Creates the first account, and waits until its endpoint is shown and live. */
export async function signUp(page: Page): Promise<{ captureUrl: string; endpointId: string }> {
  await fillCredentials(page, CREDENTIALS);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.locator('.connection.is-live').waitFor();
  const captureUrl = (await page.locator('.endpoint-head .url-text').textContent()) as string;
  const endpointId = new URL(page.url()).pathname.split('/')[2] as string;
  return { captureUrl, endpointId };
}

export async function signIn(page: Page, credentials = CREDENTIALS): Promise<void> {
  await fillCredentials(page, credentials);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.connection.is-live').waitFor();
}

async function fillCredentials(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
}

/** Shows the page on another screen or in another theme, and waits until it is drawn there. */
export async function setScreen(
  page: Page,
  viewport: { width: number; height: number },
  media?: Parameters<Page['emulateMedia']>[0],
): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== viewport.width || now.height !== viewport.height) {
    await page.setViewportSize(viewport);
  }
  if (media) await page.emulateMedia(media);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
      }),
  );
}

/** Goes to a path as a link of the page does, and waits for `ready`, a selector. */
export async function visit(page: Page, path: string, ready: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.locator(ready).first().waitFor();
}

/** The rows with an event. */
export const rows = (page: Page) =>
  page.getByRole('listbox', { name: 'Events, newest first' }).getByRole('option');

/** Chooses an item of one of the open event's menus. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Chooses what a destination's card has in its menu. */
export async function chooseForDestination(card: Locator, item: string): Promise<void> {
  await card.getByRole('button', { name: 'More for this destination' }).click();
  await card.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Opens the view of a destination from its card, and returns its form. */
export async function editDestination(page: Page, card: Locator): Promise<Locator> {
  await card.getByRole('link', { name: 'Edit', exact: true }).click();
  const form = page.locator('.settings-form');
  await form.locator('.rule-editor .cm-content').waitFor();
  return form;
}

/** Saves the form of a destination, and answers the question about its filter. */
export async function saveDestination(page: Page): Promise<void> {
  await page.locator('.save-bar').getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Save the destination?' });
  const saved = page.locator('.notice', { hasText: 'The destination is saved' });
  await question.or(saved).first().waitFor();
  if (await question.isVisible()) await question.getByRole('button', { name: 'Save' }).click();
  await saved.waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.locator('.save-bar').getByText('No changes').waitFor();
}

/** Goes back from a destination to the cards. */
export async function backToDestinations(page: Page): Promise<void> {
  await page.locator('.back').click();
  await page.locator('.card.destination').first().waitFor();
}
