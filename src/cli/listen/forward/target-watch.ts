import net from 'node:net';
import type { ForwardOutcome } from './forward.ts';

/** Interval between probes of a target that is down, ms. */
const PROBE_EVERY_MS = 1000;
const PROBE_TIMEOUT_MS = 2000;
/** Errors that mean that a target is down. A slow or broken target causes other errors. */
const DOWN_CODES: ReadonlySet<string> = new Set(['connect_refused', 'connect_error', 'dns_error']);

export interface TargetWatchOptions {
  onDown(origin: string): void;
  onUp(origin: string): void;
  signal: AbortSignal;
}

/** Reports when a target goes down or up. Probes a target only while it is down. */
export class TargetWatch {
  readonly #options: TargetWatchOptions;
  readonly #down = new Set<string>();

  constructor(options: TargetWatchOptions) {
    this.#options = options;
  }

  async check(target: string): Promise<void> {
    const { origin } = new URL(target);
    if (!(await answers(origin))) this.#wentDown(origin);
  }

  saw({ target, responseCode, error }: ForwardOutcome): void {
    if (target === null) return;
    const { origin } = new URL(target);
    if (responseCode !== null) this.#cameUp(origin);
    else if (error && DOWN_CODES.has(error.code)) this.#wentDown(origin);
  }

  #wentDown(origin: string): void {
    const { onDown, signal } = this.#options;
    if (signal.aborted || this.#down.has(origin)) return;
    this.#down.add(origin);
    onDown(origin);
    const timer = setInterval(async () => {
      if ((await answers(origin)) && this.#down.has(origin)) this.#cameUp(origin);
      if (!this.#down.has(origin)) clearInterval(timer);
    }, PROBE_EVERY_MS);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  #cameUp(origin: string): void {
    if (this.#down.delete(origin) && !this.#options.signal.aborted) this.#options.onUp(origin);
  }
}

function answers(origin: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(origin);
  return new Promise((resolve) => {
    const socket = net.connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      timeout: PROBE_TIMEOUT_MS,
    });
    const settle = (isUp: boolean) => {
      socket.destroy();
      resolve(isUp);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
