import { uptime } from 'node:os';

/** The source of time. Tests inject their own. */
export interface Clock {
  /** The wall clock, Unix milliseconds. Use it for times that are stored or shown. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. Use it for durations and timers. */
  monotonic(): number;
}

/** A clock that can distinguish a set wall clock from a sleep of the machine. */
export interface WakingClock extends Clock {
  /** Milliseconds from an arbitrary start, including sleep. Accurate to about a second. */
  elapsed(): number;
}

export const systemClock: WakingClock = {
  now: () => Date.now(),
  // Excludes sleep, as timers do.
  monotonic: () => performance.now(),
  // Includes sleep (CLOCK_BOOTTIME on Linux).
  elapsed: () => uptime() * 1000,
};

/**
 * The fields of a log line. They must never contain a secret, a token, a password or a body.
 * `error` may be any thrown value. The log shows its stack, if it has one.
 */
export interface LogFields {
  [name: string]: unknown;
}

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
