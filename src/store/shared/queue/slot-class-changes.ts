import { nextSlotClass, type SlotClass } from '../../../core/flow/slot-class.ts';

/** Works out the changes that the attempts of one commit make to their destinations' health. */
export class SlotClassChanges {
  readonly #healthOf: (destinationKey: number) => SlotClass;
  readonly #changes = new Map<number, { before: SlotClass; after: SlotClass }>();

  /** @param healthOf returns the stored health; called once for each destination */
  constructor(healthOf: (destinationKey: number) => SlotClass) {
    this.#healthOf = healthOf;
  }

  /** Adds the next attempt. Call it in the order in which attempts are recorded. */
  add(destinationKey: number, outcome: { timedOut: boolean }): void {
    const known = this.#changes.get(destinationKey);
    const before = known?.before ?? this.#healthOf(destinationKey);
    const after = nextSlotClass(known?.after ?? before, outcome);
    this.#changes.set(destinationKey, { before, after });
  }

  /** The destinations whose health changed, with the health to store. */
  changed(): [destinationKey: number, health: SlotClass][] {
    return [...this.#changes].flatMap(([key, { before, after }]) =>
      before.state === after.state ? [] : [[key, after] as [number, SlotClass]],
    );
  }
}
