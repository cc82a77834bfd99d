import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { HealthState } from '../../core/flow/health.ts';

export interface HealthChange {
  health: HealthState;
  /** Whether to show the change to people: the breaker opened, or an open breaker closed. */
  matters: boolean;
  attempt: StreamedAttempt;
}

/** The largest number of destinations with an open breaker in memory. */
const REMEMBERED_DESTINATIONS = 10_000;

export class HealthWatch {
  readonly #open = new Set<string>();

  /** Returns null if the attempt changed nothing. */
  saw(attempt: StreamedAttempt): HealthChange | null {
    const { destination_health: health, destination_id: id } = attempt;
    // Old servers send no health, and one-off URLs have none.
    if (health === undefined || health === null || id === null) return null;
    const wasOpen = this.#open.delete(id);
    if (health === 'open') this.#remember(id);
    // A probe means that the breaker was open, maybe since before this stream began.
    const recovers = health === 'healthy' && (wasOpen || attempt.probe);
    return { health, matters: health === 'open' || recovers, attempt };
  }

  #remember(id: string): void {
    this.#open.add(id);
    if (this.#open.size > REMEMBERED_DESTINATIONS) {
      this.#open.delete(this.#open.values().next().value as string);
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
