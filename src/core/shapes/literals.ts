import { memberBytes, type PayloadShape, type ShapePlace, type Texts } from './shape.ts';

/**
 * Returns the numbers of the events that prove a shape's literal values, ascending. Each value has
 * at most two.
 */
export function neededEvents(shape: PayloadShape): number[] {
  const needed = new Set<number>();
  for (const texts of allTexts(shape.root)) {
    for (const { events } of texts.values?.values() ?? []) {
      for (const seq of events) needed.add(seq);
    }
  }
  return [...needed].sort((a, b) => a - b);
}

/**
 * Removes deleted events from the literal values. Removes each value without remaining events, even
 * if an older event has it. The next event with the value adds it again.
 *
 * @returns whether the shape changed
 */
export function forget(shape: PayloadShape, gone: ReadonlySet<number>): boolean {
  let changed = false;
  for (const { values } of allTexts(shape.root)) {
    for (const [value, literal] of values ?? []) {
      const left = literal.events.filter((seq) => !gone.has(seq));
      if (left.length === literal.events.length) continue;
      changed = true;
      literal.events = left;
      if (left.length > 0) continue;
      values?.delete(value);
      shape.literals--;
      shape.bytes -= memberBytes(value);
    }
  }
  return changed;
}

function* allTexts(place: ShapePlace): Generator<Texts> {
  if (place.texts) yield place.texts;
  for (const member of place.members?.values() ?? []) yield* allTexts(member.place);
  if (place.entries) yield* allTexts(place.entries);
  if (place.items) yield* allTexts(place.items);
}
