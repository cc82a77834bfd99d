import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { Accounts, type AccountsOptions, type Client } from '../../src/accounts/accounts.ts';
import { HookrelayError } from '../../src/core/errors.ts';
import type { User } from '../../src/core/model.ts';
import type { Logger, WakingClock } from '../../src/core/runtime/runtime.ts';
import { Keys } from '../../src/core/secrets/keys.ts';
import type { Store } from '../../src/store/contract/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { MANY } from '../fixtures/many.ts';

/** A clock that moves only when the test moves it. */
export class TestClock implements WakingClock {
  #ms = Date.UTC(2026, 0, 31, 12);

  now(): number {
    return this.#ms;
  }

  monotonic(): number {
    return this.#ms;
  }

  elapsed(): number {
    return this.#ms;
  }

  advance(ms: number): void {
    this.#ms += ms;
  }
}

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export interface Setup {
  accounts: Accounts;
  store: Store;
  clock: TestClock;
  keys: Keys;
  /** Calls of `onWrongPassword`. */
  wrong: [User, Client][];
}

/** Accounts on their own store, closed and deleted when the test ends. */
export async function openAccounts(
  options: Partial<Pick<AccountsOptions, 'registration' | 'defaultPlan' | 'limits'>> = {},
): Promise<Setup> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hookrelay-auth-'));
  const clock = new TestClock();
  const keys = new Keys(randomBytes(32));
  const store = await openSqliteStore({
    dataDir,
    clock,
    log: silent,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => {
    await store.close();
    rmSync(dataDir, { recursive: true });
  });
  const wrong: [User, Client][] = [];
  const accounts = new Accounts({
    store: store.accounts,
    apiTokens: store.apiTokens,
    keys,
    clock,
    limits: { sessions: MANY, tokens: MANY },
    registration: 'open',
    defaultPlan: 'free',
    onWrongPassword: (user, client) => wrong.push([user, client]),
    ...options,
  });
  return { accounts, store, clock, keys, wrong };
}

export const OWNER: Client = { address: '192.0.2.1', userAgent: 'browser/1' };
export const STRANGER: Client = { address: '198.51.100.7', userAgent: 'curl/8' };
export const ADA = { email: 'ada@example.com', password: 'correct horse' };

/** The code of the error that a promise rejects with. Fails without one, or on another error. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  return (await refusalOf(promise)).code;
}

export async function refusalOf(promise: Promise<unknown>): Promise<HookrelayError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof HookrelayError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
