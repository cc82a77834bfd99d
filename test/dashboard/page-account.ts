import type { Reachable } from '../fixtures/account.ts';
import { Account, callApi, expectStatus } from '../fixtures/account.ts';

/** An account whose session is a cookie of a browser. */
export interface PageAccount {
  account: Account;
  /** Its first endpoint. */
  endpointId: string;
  cookie: { name: string; value: string };
}

/** Where the page keeps its session: the cookie goes nowhere else. */
export const SESSION_PATH = '/dashboard/session';

let registered = 0;

/** Creates an account as the page's form does, without the form. */
export async function registerForPage(server: Reachable): Promise<PageAccount> {
  registered++;
  const credentials = {
    email: `ada-${registered}-${process.pid}@example.com`,
    password: `correct horse ${registered} ${process.pid}`,
  };
  const headers = { 'x-hookrelay-page': '1', origin: server.url };
  const path = `${SESSION_PATH}/register`;
  const answer = await callApi(server, 'POST', path, credentials, { headers });
  const { endpoint_id: endpointId, ...signedIn } = expectStatus(201, answer);
  const [set = ''] = answer.headers['set-cookie'] ?? [];
  const [name = '', value = ''] = set.slice(0, set.indexOf(';')).split('=');
  const account = new Account(server, credentials, { ...signedIn, refreshToken: value });
  return { account, endpointId, cookie: { name, value } };
}
