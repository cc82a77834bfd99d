import { uptime } from 'node:os';

/** The source of time. Tests inject their own. */
export interface Clock {
  /** The wall clock, Unix milliseconds. Use it for times that are stored or shown. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. Use it for durations and timers. */
  monotonic(): number;
}

/** A clock by which a wall clock that was set can be distinguished from a sleep of the machine. */
export interface WakingClock extends Clock {
  /** Milliseconds from an arbitrary start, including sleep. Accurate to about a second. */
  elapsed(): number;
}

export const systemClock: WakingClock = {
  now: () => Date.now(),
  // Stops while the machine sleeps, as timers do.
  monotonic: () => performance.now(),
  // Counts sleep too (CLOCK_BOOTTIME on Linux).
  elapsed: () => uptime() * 1000,
};

/**
 * The fields of a log line. They must never hold a secret, a token, a password or a body. `error`
 * may be any thrown value. If it has a stack, the log shows it.
 */
export interface LogFields {
  [name: string]: unknown;
}

/** The log. `core/runtime/logger.ts` creates one. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
