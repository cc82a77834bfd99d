import { type DestinationHealth, nextHealth } from '../../core/destination-health.ts';

/** How the attempts of one commit move the health of their destinations. */
export class HealthChanges {
  readonly #healthOf: (destinationKey: number) => DestinationHealth;
  readonly #changes = new Map<number, { before: DestinationHealth; after: DestinationHealth }>();

  /** @param healthOf the health on record, asked once of each destination */
  constructor(healthOf: (destinationKey: number) => DestinationHealth) {
    this.#healthOf = healthOf;
  }

  /** Takes the next attempt, in the order in which they are recorded. */
  add(destinationKey: number, outcome: { timedOut: boolean }): void {
    const known = this.#changes.get(destinationKey);
    const before = known?.before ?? this.#healthOf(destinationKey);
    const after = nextHealth(known?.after ?? before, outcome);
    this.#changes.set(destinationKey, { before, after });
  }

  /** What to store: destinations whose health is another now. */
  changed(): [destinationKey: number, health: DestinationHealth][] {
    return [...this.#changes].flatMap(([key, { before, after }]) =>
      before.state === after.state ? [] : [[key, after] as [number, DestinationHealth]],
    );
  }
}
