import { HookrelayError } from './errors.ts';

/** The most of each thing that an account may have. `destinations` is for each endpoint. */
export interface Limits {
  readonly endpoints: number;
  readonly destinations: number;
  readonly tokens: number;
  /** A further session ends the one that was unused for longest. */
  readonly sessions: number;
  /** Open streams on each node. */
  readonly streams: number;
  /** Bulk replays that aren't done. */
  readonly replayJobs: number;
}

/** Finished bulk replays that an endpoint keeps, and most that have open deliveries. */
export const JOBS_KEPT = 100;

/** Longest JSON of an edited copy, bytes. Parsing a longer one would block the main thread. */
export const MAX_EDIT_BYTES = 1024 * 1024;

/** By limit: the message, the remedy, and the flag that sets it; null where none does. */
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
    'an endpoint is replayed to at most # URLs that are no destinations',
    'use one of them again, or add a destination',
    null,
  ],
} as const;

/** The error for one more than `most`. It names the operator's setting. */
export function limitReached(what: keyof typeof REFUSED, most: number): HookrelayError {
  const [limit, remedy, flag] = REFUSED[what];
  return new HookrelayError('limit_reached', limit.replace('#', String(most)), {
    hint: flag ? `${remedy}, or ask the operator of this server for a higher ${flag}` : remedy,
  });
}
