import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isSuccess } from '../core/http/is-success.ts';
import { ISSUE_KIND } from '../core/issues/issue.ts';
import type { AttemptErrorCode } from '../core/model.ts';
import { type FastPathCounts, HAND_OVER_CAUSES } from '../ingress/fast-path/hand-over.ts';
import type { SettledAttempt } from '../store/contract/queue.ts';
import type { StoreStats } from '../store/contract/store.ts';

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const COMMIT_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Gauges {
  stats(): Promise<StoreStats>;
  attemptsRunning(): number;
  deliveriesWaiting(): number;
  captureBytesInFlight(): number;
  openStreams(): number;
  /** Counters that the fast path increments. */
  fastPath: FastPathCounts;
}

/** The metrics for Prometheus. Each scrape reads the gauges. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #gauges: Gauges;
  readonly #captures: Counter;
  readonly #captureBytes: Counter;
  readonly #batchSize: Histogram;
  readonly #commitSeconds: Histogram;
  readonly #attempts: Counter<'outcome'>;
  readonly #attemptSeconds: Histogram;
  readonly #openIssues: Gauge<'kind'>;
  readonly #set: Record<string, Gauge>;
  #measuring: Promise<void> | undefined;

  constructor(gauges: Gauges) {
    this.#gauges = gauges;
    const registers = [this.#registry];
    this.#captures = new Counter({
      name: 'hookrelay_captures_total',
      help: 'Events stored',
      registers,
    });
    this.#captureBytes = new Counter({
      name: 'hookrelay_capture_bytes_total',
      help: 'Bytes of bodies stored',
      registers,
    });
    this.#batchSize = new Histogram({
      name: 'hookrelay_commit_batch_events',
      help: 'Events in one commit',
      buckets: BATCH_SIZES,
      registers,
    });
    this.#commitSeconds = new Histogram({
      name: 'hookrelay_commit_seconds',
      help: 'Time of a capture commit, fsync included',
      buckets: COMMIT_SECONDS,
      registers,
    });
    this.#attempts = new Counter({
      name: 'hookrelay_attempts_total',
      help: 'Delivery attempts, by outcome: success, http_4xx, http_5xx, http_other or an error code',
      labelNames: ['outcome'],
      registers,
    });
    this.#attemptSeconds = new Histogram({
      name: 'hookrelay_attempt_seconds',
      help: 'Time of a delivery attempt',
      buckets: ATTEMPT_SECONDS,
      registers,
    });
    const { fastPath } = gauges;
    new Counter({
      name: 'hookrelay_fast_path_requests_total',
      help: 'Captures that the fast path took',
      registers,
      collect() {
        this.reset();
        this.inc(fastPath.taken);
      },
    });
    new Counter({
      name: 'hookrelay_fast_path_handovers_total',
      help: 'Connections that the fast path handed to Node, by cause',
      labelNames: ['cause'],
      registers,
      collect() {
        this.reset();
        for (const cause of HAND_OVER_CAUSES) this.inc({ cause }, fastPath.handedOver[cause]);
      },
    });
    this.#openIssues = new Gauge({
      name: 'hookrelay_issues_open',
      help: 'Issues that are open, by kind',
      labelNames: ['kind'],
      registers,
    });
    const gauge = (name: string, help: string) =>
      new Gauge({ name: `hookrelay_${name}`, help, registers });
    this.#set = {
      up: gauge('store_up', 'Whether the store answers'),
      pending: gauge('deliveries_pending', 'Deliveries not yet closed'),
      due: gauge('deliveries_due', 'Deliveries that are due'),
      late: gauge('deliveries_oldest_due_seconds', 'How long the oldest due delivery has waited'),
      waiting: gauge('deliveries_waiting', 'Claimed deliveries that wait for a slot'),
      running: gauge('attempts_running', 'Attempts under way'),
      inFlight: gauge('capture_bytes_in_flight', 'Bytes of bodies before their commit'),
      streams: gauge('live_streams', 'Live streams open'),
      indexLag: gauge('search_index_lag_events', 'Events that searches scan without an index'),
      database: gauge('database_bytes', 'Size of the database file'),
      wal: gauge('database_wal_bytes', 'Size of the database’s write-ahead log'),
    };
  }

  onCommit(commit: { events: number; bytes: number; durationMs: number }): void {
    this.#captures.inc(commit.events);
    this.#captureBytes.inc(commit.bytes);
    this.#batchSize.observe(commit.events);
    this.#commitSeconds.observe(commit.durationMs / 1000);
  }

  onSettled(settled: readonly SettledAttempt[]): void {
    for (const { attempt } of settled) {
      this.#attempts.inc({ outcome: outcomeOf(attempt.responseCode, attempt.error?.code) });
      this.#attemptSeconds.observe(attempt.durationMs / 1000);
    }
  }

  /**
   * Returns the metrics in the Prometheus text format. The first call starts the process metrics.
   * They don't start earlier, because sampling the event loop wakes an idle server. Most servers
   * are never scraped.
   */
  async text(): Promise<{ contentType: string; text: string }> {
    const gauges = this.#gauges;
    this.#measuring ??= this.#measureProcess();
    await this.#measuring;
    // If the store fails, only the store's metrics are missing.
    const stats = await gauges.stats().catch(() => null);
    const values: Record<string, number> = {
      up: stats ? 1 : 0,
      pending: stats?.pending ?? Number.NaN,
      due: stats?.due ?? Number.NaN,
      late: (stats?.oldestDueMs ?? Number.NaN) / 1000,
      waiting: gauges.deliveriesWaiting(),
      running: gauges.attemptsRunning(),
      inFlight: gauges.captureBytesInFlight(),
      streams: gauges.openStreams(),
      indexLag: stats?.indexLag ?? Number.NaN,
      database: stats?.databaseBytes ?? Number.NaN,
      wal: stats?.walBytes ?? Number.NaN,
    };
    for (const [name, value] of Object.entries(values)) this.#set[name]?.set(value);
    for (const kind of ISSUE_KIND.names) {
      this.#openIssues.set({ kind }, stats ? (stats.openIssues[kind] ?? 0) : Number.NaN);
    }
    return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
  }

  async #measureProcess(): Promise<void> {
    // Import late: it loads OpenTelemetry, and most servers are never scraped.
    const { measureProcess } = await import('./process-metrics.ts');
    await measureProcess(this.#registry);
  }
}

function outcomeOf(status: number | null, error: AttemptErrorCode | undefined): string {
  if (isSuccess(status)) return 'success';
  if (error) return error;
  const kind = Math.floor((status ?? 0) / 100);
  return kind === 4 || kind === 5 ? `http_${kind}xx` : 'http_other';
}
