import { HookrelayError } from './errors.ts';

/** What an account may have at most. `destinations` is the limit of one endpoint. */
export interface Limits {
  readonly endpoints: number;
  readonly destinations: number;
  readonly tokens: number;
  /** One more session ends the session that was unused for longest. */
  readonly sessions: number;
  /** How many live streams may be open on each node. */
  readonly streams: number;
  /** How many bulk replays may be under way. */
  readonly replayJobs: number;
}

/**
 * How many finished bulk replays an endpoint keeps. It may have the same number of bulk replays
 * with open deliveries.
 */
export const JOBS_KEPT = 100;

/** Largest JSON of an edited copy, bytes. Parsing a larger one would block the main thread. */
export const MAX_EDIT_BYTES = 1024 * 1024;

/** For each limit: the message, the remedy, and the flag that sets the limit, or null. */
const REFUSED = {
  endpoints: ['an account has at most # endpoints', 'delete one', '--max-endpoints'],
  destinations: ['an endpoint has at most # destinations', 'remove one', '--max-destinations'],
  tokens: ['an account has at most # API tokens', 'revoke one', '--max-tokens'],
  streams: ['an account has at most # live streams open', 'close one', '--max-streams'],
  replayJobs: [
    'an account has at most # bulk replays under way',
    'wait until one is done',
    '--max-replay-jobs',
  ],
  channels: ['an account has at most # channels', 'remove one', null],
  openJobs: [
    'an endpoint has at most # bulk replays with open deliveries',
    'wait until one is done, or cancel one: hookrelay replays cancel ENDPOINT JOB',
    null,
  ],
  oneOffUrls: [
    'an endpoint has at most # one-off URLs',
    'use an earlier one-off URL, or add a destination',
    null,
  ],
} as const;

/** Returns the error for one more than `most`. The hint names the flag that raises the limit. */
export function limitReached(what: keyof typeof REFUSED, most: number): HookrelayError {
  const [limit, remedy, flag] = REFUSED[what];
  return new HookrelayError('limit_reached', limit.replace('#', String(most)), {
    hint: flag ? `${remedy}, or ask the operator of this server for a higher ${flag}` : remedy,
  });
}
