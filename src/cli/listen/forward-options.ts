import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { isSigningSecret, SIGNING_SECRETS } from '../../core/secrets/signature.ts';
import { parseDuration } from '../../core/text/duration.ts';
import { someText } from '../arguments.ts';
import { usageError } from '../command-error.ts';

/** Options of all commands that forward events from this machine. */

/** Long, because a debugger may have stopped the handler at a breakpoint. */
const DEFAULT_TIMEOUT = '5m';
const MAX_TIMEOUT_MS = 60 * 60_000;

/** `checkSigningSecret` checks the value, because commander's error would print it. */
export function signingSecretOption(about: string) {
  return new Option('--secret <secret>', about).env('HOOKRELAY_LISTEN_SECRET').argParser(someText);
}

export function checkSigningSecret(secret: string | undefined): void {
  if (!isSigningSecret(secret ?? '')) throw usageError(`--secret ${SIGNING_SECRETS}`);
}

/** @param when the start of the help text, such as `with --to: ` */
export function resignOption(when = '') {
  return new Option(
    '--resign',
    `${when}sign verified events as their providers do, with the endpoint's secrets and the present time`,
  );
}

export function checkResign(flags: { resign?: boolean; secret?: string }): void {
  if (flags.resign && flags.secret !== undefined) {
    throw usageError('--resign and --secret exclude each other');
  }
}

/** The value is in ms. */
export function responseTimeoutOption(about: string) {
  return new Option('--timeout <duration>', about)
    .argParser(timeout)
    .default<number>(timeout(DEFAULT_TIMEOUT), DEFAULT_TIMEOUT);
}

function timeout(value: string): number {
  const ms = parseDuration(value);
  if (ms !== null && ms >= 1 && ms <= MAX_TIMEOUT_MS) return ms;
  throw new InvalidArgumentError('Expected a duration such as 10s or 5m, at most 1h.');
}
