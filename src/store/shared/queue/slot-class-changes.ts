import { nextSlotClass, type SlotClass } from '../../../core/flow/slot-class.ts';

/** Computes how the attempts of one commit change their destinations' slot classes. */
export class SlotClassChanges {
  readonly #classOf: (destinationKey: number) => SlotClass;
  readonly #changes = new Map<number, { before: SlotClass; after: SlotClass }>();

  /** @param classOf returns the stored class; called once for each destination */
  constructor(classOf: (destinationKey: number) => SlotClass) {
    this.#classOf = classOf;
  }

  /** Adds the next attempt. Call it in the order in which attempts are recorded. */
  add(destinationKey: number, outcome: { timedOut: boolean }): void {
    const known = this.#changes.get(destinationKey);
    const before = known?.before ?? this.#classOf(destinationKey);
    const after = nextSlotClass(known?.after ?? before, outcome);
    this.#changes.set(destinationKey, { before, after });
  }

  /** Returns the destinations whose class changed, with the class to store. */
  changed(): [destinationKey: number, slotClass: SlotClass][] {
    return [...this.#changes].flatMap(([key, { before, after }]) =>
      before.state === after.state ? [] : [[key, after] as [number, SlotClass]],
    );
  }
}
