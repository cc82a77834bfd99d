import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { HealthState } from '../../core/flow/health.ts';

export interface HealthChange {
  health: HealthState;
  /**
   * Whether to show the change to people: the breaker opened, the destination refuses all events, or
   * one of these is over.
   */
  matters: boolean;
  attempt: StreamedAttempt;
}

/** The largest number of destinations in memory that are `open` or `refusing`. */
const REMEMBERED_DESTINATIONS = 10_000;

export class HealthWatch {
  readonly #bad = new Set<string>();

  /** Returns null if the attempt changed nothing. */
  saw(attempt: StreamedAttempt): HealthChange | null {
    const { destination_health: health, destination_id: id } = attempt;
    // Old servers send no health, and one-off URLs have none.
    if (health === undefined || health === null || id === null) return null;
    const wasBad = this.#bad.delete(id);
    const isBad = health === 'open' || health === 'refusing';
    if (isBad) this.#remember(id);
    // A probe means that the breaker was open, maybe since before this stream began.
    const recovers = health === 'healthy' && (wasBad || attempt.probe);
    return { health, matters: isBad || recovers, attempt };
  }

  #remember(id: string): void {
    this.#bad.add(id);
    if (this.#bad.size > REMEMBERED_DESTINATIONS) {
      this.#bad.delete(this.#bad.values().next().value as string);
    }
  }
}

export function healthRecord({ health, attempt }: HealthChange): object {
  const { endpoint_id, destination_id, destination_url, attempted_at } = attempt;
  return {
    type: 'health',
    ...{ health, endpoint_id, destination_id, destination_url },
    event_id: attempt.event_id,
    attempt_id: attempt.id,
    attempted_at,
  };
}
