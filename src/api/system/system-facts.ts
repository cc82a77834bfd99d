import { statfs } from 'node:fs/promises';
import { HookrelayError } from '../../core/errors.ts';
import { packageVersion } from '../../core/runtime/resource.ts';
import type { Clock } from '../../core/runtime/runtime.ts';
import type { StoreStats } from '../../store/contract/store.ts';
import { isoTime } from '../iso-time.ts';
import type { SystemAnswer, SystemCheck } from './system-answer.ts';

/** How long the facts are cached, ms. */
const KEPT_MS = 10_000;
/** A longer lag is a warning. Capture adds fewer events than this during a few index commits. */
const LONG_LAG_EVENTS = 10_000;
/** A smaller share of free disk space is a warning. */
const LITTLE_SPACE = 0.1;

export interface SystemSources {
  clock: Clock;
  /** Throws the error that keeps the server from capturing. */
  checkReady(): Promise<void>;
  stats(): Promise<Pick<StoreStats, 'databaseBytes' | 'indexLag'>>;
  /** Null with PostgreSQL. */
  dataDir: string | null;
}

/** Reads facts at most once in 10 s. They reveal no path and nothing about other accounts. */
export class SystemFacts {
  readonly #sources: SystemSources;
  readonly #startedAt: number;
  #look: { at: number; facts: Promise<SystemAnswer> } | null = null;

  constructor(sources: SystemSources) {
    this.#sources = sources;
    this.#startedAt = sources.clock.now();
  }

  facts(): Promise<SystemAnswer> {
    const at = this.#sources.clock.monotonic();
    if (this.#look === null || at - this.#look.at >= KEPT_MS) {
      const facts = this.#read();
      this.#look = { at, facts };
      facts.catch(() => {
        if (this.#look?.facts === facts) this.#look = null;
      });
    }
    return this.#look.facts;
  }

  async #read(): Promise<SystemAnswer> {
    const { dataDir, stats, checkReady } = this.#sources;
    const [{ databaseBytes, indexLag }, disk, storage] = await Promise.all([
      stats(),
      dataDir === null ? null : diskOf(dataDir),
      storageCheck(checkReady),
    ]);
    return {
      version: packageVersion(),
      node_version: process.versions.node,
      store: dataDir === null ? 'PostgreSQL' : 'SQLite',
      started_at: isoTime(this.#startedAt),
      disk,
      database_bytes: databaseBytes,
      index: { behind: indexLag },
      checks: [storage, ...(disk ? [diskCheck(disk)] : []), indexCheck(indexLag)],
    };
  }
}

/** Returns null if the file system doesn't report its space. */
async function diskOf(dataDir: string): Promise<SystemAnswer['disk']> {
  try {
    const { blocks, bavail, bsize } = await statfs(dataDir);
    return { free_bytes: bavail * bsize, total_bytes: blocks * bsize };
  } catch {
    return null;
  }
}

async function storageCheck(checkReady: () => Promise<void>): Promise<SystemCheck> {
  try {
    await checkReady();
    return { name: 'storage', state: 'ok', text: 'events can be stored', hint: null };
  } catch (error) {
    if (!(error instanceof HookrelayError)) throw error;
    return { name: 'storage', state: 'fail', text: error.message, hint: error.hint ?? null };
  }
}

function diskCheck({ free_bytes, total_bytes }: NonNullable<SystemAnswer['disk']>): SystemCheck {
  const text = `${Math.floor((100 * free_bytes) / total_bytes)} % of the disk is free`;
  return free_bytes < LITTLE_SPACE * total_bytes
    ? {
        ...{ name: 'disk space', state: 'warn', text },
        hint: 'free some, or delete old events: hookrelay prune --before 30d --dry-run',
      }
    : { name: 'disk space', state: 'ok', text, hint: null };
}

function indexCheck(behind: number): SystemCheck {
  const name = 'search index';
  if (behind <= LONG_LAG_EVENTS) return { name, state: 'ok', text: 'up to date', hint: null };
  return {
    ...{ name, state: 'warn', text: `${behind} events behind: searches take longer` },
    hint: 'wait: it catches up by itself; on the server, hookrelay doctor says more',
  };
}
