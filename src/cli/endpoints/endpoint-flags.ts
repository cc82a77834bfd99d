import { Option } from 'commander';
import { ON_UNJUDGED, type OnUnjudged } from '../../core/judging/unjudged.ts';
import { duration } from '../arguments.ts';
import type { ResponseFlags } from './response-flags.ts';

export interface CreateFlags extends ResponseFlags {
  retention?: string;
  /** False with `--no-expect-every`. */
  expectEvery?: string | false;
  onUnjudged?: OnUnjudged;
}

/** The word for the server's retention. commander can't hold null. */
const SERVERS = 'default';

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

export function onUnjudgedOption(): Option {
  return new Option(
    '--on-unjudged <fate>',
    'events whose bodies filters cannot judge: send them, or hold them for a retry by hand',
  ).choices(ON_UNJUDGED);
}

/** The member of a request. */
export function onUnjudgedOf({ onUnjudged }: CreateFlags): { on_unjudged?: OnUnjudged } {
  return onUnjudged === undefined ? {} : { on_unjudged: onUnjudged };
}
