import type { Page } from 'playwright-core';
import { type Account, expectStatus } from '../../fixtures/account.ts';
import type { TestServer } from '../../fixtures/running-server.ts';
import { registerForPage, SESSION_PATH } from '../page-account.ts';
import { newPage, type OpenedPage, type PageOptions } from './open-page.ts';

/** An account of a server, and its page at the account's first endpoint. */
export interface AccountPage extends OpenedPage {
  account: Account;
  endpointId: string;
  captureUrl: string;
  /** Calls the API as the account, checks the status and returns the answer's JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests read the API's JSON
  call(status: number, method: string, path: string, body?: unknown): Promise<any>;
}

/**
 * Opens the page of a new account.
 *
 * @param options `prepare` runs before the page is loaded
 */
export async function openAccount(
  server: TestServer,
  options: PageOptions & { prepare?: (page: Page, endpointId: string) => Promise<void> } = {},
): Promise<AccountPage> {
  const { prepare, ...pageOptions } = options;
  const opened = await newPage(pageOptions);
  const { page } = opened;
  const { account, endpointId, cookie } = await registerForPage(server);
  const { hostname: domain } = new URL(server.url);
  await page
    .context()
    .addCookies([{ ...cookie, domain, path: SESSION_PATH, httpOnly: true, sameSite: 'Strict' }]);
  await prepare?.(page, endpointId);
  await page.goto(`${server.url}/endpoints/${endpointId}`);
  await page.locator('.connection.is-live').waitFor();
  const captureUrl = (await page.locator('.endpoint-head .url-text').textContent()) as string;
  return {
    ...opened,
    account,
    endpointId,
    captureUrl,
    call: async (status, method, path, body) =>
      expectStatus(status, await account.call(method, path, body)),
  };
}
