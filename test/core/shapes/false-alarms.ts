import { type Drift, driftOf } from '../../../src/core/shapes/drift-of.ts';
import { mergeInto } from '../../../src/core/shapes/merge-into.ts';
import { newShape } from '../../../src/core/shapes/shape.ts';
import { payload, randomType, seeded } from './random-types.ts';

/** Drifts that open an issue. */
export const alarms = (drifts: readonly Drift[]) => drifts.filter(({ kind }) => kind !== 'new');

/** Alarms over events that all fit their type, for random types. */
export function falseAlarms(types: number, eventsOfEach: number): string[] {
  const found: string[] = [];
  for (let seed = 1; seed <= types; seed++) {
    const random = seeded(seed);
    const next = randomType(random);
    const shape = newShape();
    for (let i = 0; i < eventsOfEach; i++) {
      const read = payload(next(random));
      for (const drift of alarms(driftOf(shape, read))) {
        found.push(`seed ${seed}, event ${i}: ${drift.kind} ${drift.path}`);
      }
      mergeInto(shape, read, i + 1);
    }
  }
  return found;
}
