import { NO_FLOW } from '../../core/flow/flow.ts';
import { type Health, healthOf } from '../../core/flow/health.ts';
import type { WaitingCount } from '../../core/flow/waiting.ts';
import type { Destination } from '../../core/model.ts';
import { shownRule } from '../../core/rules/rule.ts';
import type { Keys } from '../../core/secrets/keys.ts';
import { maskedSecret } from '../../core/secrets/masked-secret.ts';
import type { DestinationSettings } from '../../core/settings/destination-settings.ts';
import { spellDuration } from '../../core/text/duration.ts';
import type { DestinationCondition, DestinationStore } from '../../store/contract/destinations.ts';
import { durationOrNull } from '../duration-or-null.ts';
import { isoTime, isoTimeOrNull } from '../iso-time.ts';
import type * as api from './destination-answer.ts';
import { openHeaders } from './sealed-headers.ts';

export type ShownDestinationSettings = Omit<
  api.DestinationAnswer,
  'id' | 'created_at' | 'health' | 'waiting'
>;

/** Masks the secrets. */
export class DestinationViews {
  readonly #keys: Keys;
  readonly #destinations: Pick<DestinationStore, 'conditions'>;
  readonly #now: () => number;

  constructor(
    destinations: Pick<DestinationStore, 'conditions'>,
    { keys, now }: { keys: Keys; now: () => number },
  ) {
    this.#destinations = destinations;
    this.#keys = keys;
    this.#now = now;
  }

  async one(endpointKey: number, destination: Destination): Promise<api.DestinationAnswer> {
    const [condition] = await this.#destinations.conditions(endpointKey, destination.id);
    return this.#view(destination, condition);
  }

  async all(
    endpointKey: number,
    destinations: readonly Destination[],
  ): Promise<api.DestinationAnswer[]> {
    const conditions = await this.#destinations.conditions(endpointKey, null);
    const byId = new Map(conditions.map((one) => [one.destinationId, one]));
    return destinations.map((one) => this.#view(one, byId.get(one.id)));
  }

  settings(destination: Destination): ShownDestinationSettings {
    const { id, url, sealedSecret, previousSecret, settings } = destination;
    const { filter, timeout, retry, hold } = settings;
    const headers = openHeaders(destination, this.#keys);
    return {
      url,
      ...(sealedSecret && { secret: maskedSecret(this.#keys.open(sealedSecret, id)) }),
      ...(previousSecret &&
        previousSecret.until > this.#now() && {
          previous_expires_at: isoTime(previousSecret.until),
        }),
      ...settings,
      filter: filter === null ? null : shownRule(filter),
      timeout: durationOrNull(timeout),
      retry: retry && shownRetry(retry),
      hold: durationOrNull(hold),
      headers:
        destination.sealedHeaders &&
        Object.fromEntries(headers.map(([name, value]) => [name, maskedSecret(value)])),
    };
  }

  /** @param condition undefined if the destination was removed after it was read */
  #view(
    destination: Destination,
    { flow, waiting }: Pick<DestinationCondition, 'flow' | 'waiting'> = {
      flow: NO_FLOW,
      waiting: { count: 0, atLeast: false, oldestAt: null },
    },
  ): api.DestinationAnswer {
    return {
      id: destination.id,
      ...this.settings(destination),
      created_at: isoTime(destination.createdAt),
      health: healthView(healthOf(flow)),
      waiting: waitingView(waiting),
    };
  }
}

export function waitingView({
  count,
  atLeast,
  oldestAt,
}: WaitingCount): api.DestinationAnswer['waiting'] {
  return { count, at_least: atLeast, oldest_at: isoTimeOrNull(oldestAt) };
}

export function healthView(health: Health): api.HealthAnswer {
  return {
    state: health.state,
    since: isoTimeOrNull(health.since),
    consecutive_failures: health.consecutiveFailures,
    next_probe_at: isoTimeOrNull(health.nextProbeAt),
  };
}

function shownRetry(retry: NonNullable<DestinationSettings['retry']>): api.RetryPolicyAnswer {
  if ('schedule' in retry) return { ...retry, schedule: retry.schedule.map(spellDuration) };
  return { ...retry, base: spellDuration(retry.base), max: spellDuration(retry.max) };
}
