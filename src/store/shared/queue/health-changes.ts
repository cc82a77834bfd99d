import { type DestinationHealth, nextHealth } from '../../../core/flow/slot-class.ts';

/** Works out the changes that the attempts of one commit make to their destinations' health. */
export class HealthChanges {
  readonly #healthOf: (destinationKey: number) => DestinationHealth;
  readonly #changes = new Map<number, { before: DestinationHealth; after: DestinationHealth }>();

  /** @param healthOf returns the stored health; called once for each destination */
  constructor(healthOf: (destinationKey: number) => DestinationHealth) {
    this.#healthOf = healthOf;
  }

  /** Adds the next attempt. Call it in the order in which attempts are recorded. */
  add(destinationKey: number, outcome: { timedOut: boolean }): void {
    const known = this.#changes.get(destinationKey);
    const before = known?.before ?? this.#healthOf(destinationKey);
    const after = nextHealth(known?.after ?? before, outcome);
    this.#changes.set(destinationKey, { before, after });
  }

  /** The destinations whose health changed, with the health to store. */
  changed(): [destinationKey: number, health: DestinationHealth][] {
    return [...this.#changes].flatMap(([key, { before, after }]) =>
      before.state === after.state ? [] : [[key, after] as [number, DestinationHealth]],
    );
  }
}
