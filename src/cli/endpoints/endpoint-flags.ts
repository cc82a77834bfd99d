import { type Command, Option } from 'commander';
import type { Endpoint } from '../../api/answers/endpoint.ts';
import { duration, wholeNumber } from '../arguments.ts';

export interface CreateFlags extends ResponseFlags {
  retention?: string;
  /** False with `--no-expect-every`. */
  expectEvery?: string | false;
}

export interface ResponseFlags {
  responseStatus?: number;
  responseBody?: string;
  responseType?: string;
}

/** The word for the server's retention. commander can't hold null. */
const SERVERS = 'default';

export function addResponseFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--response-status <code>',
        'status of the answer to senders (default: 200)',
      ).argParser(wholeNumber(200, 599)),
    )
    .option('--response-body <text>', 'body of the answer to senders')
    .option('--response-type <type>', 'content type of that body (default: application/json)');
}

export function retentionOption(): Option {
  return new Option(
    '--retention <duration>',
    "how long events are kept, such as 7d; default: the server's retention",
  ).argParser((value) => (value.trim() === SERVERS ? SERVERS : duration(value)));
}

/** The member of a request. */
export function retentionOf({ retention }: CreateFlags): { retention?: string | null } {
  if (retention === undefined) return {};
  return { retention: retention === SERVERS ? null : retention };
}

export function expectEveryOption(): Option {
  return new Option(
    '--expect-every <duration>',
    'open an issue when no event comes for longer: 1s to 365d',
  ).argParser(duration);
}

/** The member of a request. */
export function expectEveryOf({ expectEvery }: CreateFlags): { expect_every?: string | null } {
  if (expectEvery === undefined) return {};
  return { expect_every: expectEvery === false ? null : expectEvery };
}

/** @param present the answer whose parts stay where no flag changes them; null for the default */
export function responseOf(flags: ResponseFlags, present: Endpoint['response']): object | null {
  const { responseStatus, responseBody, responseType } = flags;
  if (responseStatus === undefined && responseBody === undefined && responseType === undefined) {
    return null;
  }
  return {
    ...present,
    status: responseStatus ?? present?.status ?? 200,
    ...(responseType !== undefined && { content_type: responseType }),
    ...(responseBody !== undefined && { body: responseBody }),
  };
}
