import { Option } from '@commander-js/extra-typings';
import { ON_UNJUDGED, type OnUnjudged } from '../../core/judging/unjudged.ts';
import { duration } from '../arguments.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';

/** The word for the server's retention. commander can't hold null. */
const SERVERS = 'default';

/** The flags of settings that neither prove a sender nor answer one. */
export const addEndpointFlags = commandPart((command) =>
  command
    .option(
      '--retention <duration>',
      "how long events are kept, such as 7d; default: the server's retention",
      (value: string): string => (value.trim() === SERVERS ? SERVERS : duration(value)),
    )
    .option(
      '--expect-every <duration>',
      'open an issue when no event comes for longer: 1s to 365d',
      duration,
    )
    .addOption(
      new Option(
        '--on-unjudged <fate>',
        'events whose bodies filters cannot judge: send them, or hold them for a retry by hand',
      ).choices(ON_UNJUDGED),
    ),
);

/** `expectEvery` is false with `--no-expect-every`. */
type EndpointFlags = Omit<FlagsOf<typeof addEndpointFlags>, 'expectEvery'> & {
  expectEvery?: string | false;
};

/** The member of a request. */
export function retentionOf({ retention }: EndpointFlags): { retention?: string | null } {
  if (retention === undefined) return {};
  return { retention: retention === SERVERS ? null : retention };
}

/** The member of a request. */
export function expectEveryOf({ expectEvery }: EndpointFlags): { expect_every?: string | null } {
  if (expectEvery === undefined) return {};
  return { expect_every: expectEvery === false ? null : expectEvery };
}

/** The member of a request. */
export function onUnjudgedOf({ onUnjudged }: EndpointFlags): { on_unjudged?: OnUnjudged } {
  return onUnjudged === undefined ? {} : { on_unjudged: onUnjudged };
}
