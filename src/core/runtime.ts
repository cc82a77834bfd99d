import { uptime } from 'node:os';

/** Time comes in from outside, so that policy can be tested and clock jumps survived. */
export interface Clock {
  /** Wall clock, Unix milliseconds: for what is stored and shown. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start: for durations and timers. */
  monotonic(): number;
}

/** Tells a wall clock that was set from one that went on while the machine slept. */
export interface WakingClock extends Clock {
  /** Milliseconds from an arbitrary start, sleep included; good to a second or so. */
  elapsed(): number;
}

export const systemClock: WakingClock = {
  now: () => Date.now(),
  // Stands still while the machine sleeps, as timers do.
  monotonic: () => performance.now(),
  // The time since boot goes on (CLOCK_BOOTTIME on Linux).
  elapsed: () => uptime() * 1000,
};

/**
 * Facts that go with a log line. Never a secret, a token, a password or a body.
 * `error` may be anything thrown; its stack is logged.
 */
export interface LogFields {
  [name: string]: unknown;
}

/** The log as its users see it; `core/logger.ts` makes one. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
