import { anyShape, fieldsToValues, type TypeShape } from './shape.ts';

/**
 * Cuts a shape down to about `maxMembers`. Cuts the deepest levels first, because the top says
 * most. An object at the cut accepts any members.
 *
 * Returns how many levels are left, or null if the shape needed no cut.
 */
export function trimShape(shape: TypeShape, maxMembers: number): number | null {
  const perLevel: number[] = [];
  countLevels(shape, 0, perLevel);
  let sum = 0;
  for (const [level, count] of perLevel.entries()) {
    sum += count;
    if (sum <= maxMembers) continue;
    cutBelow(shape, level);
    return level;
  }
  return null;
}

function countLevels(shape: TypeShape, level: number, perLevel: number[]): void {
  if (shape.items) countLevels(shape.items, level, perLevel);
  if (shape.objects === 0) return;
  perLevel[level] = (perLevel[level] ?? 0) + shape.fields.size + 1;
  for (const child of children(shape)) countLevels(child, level + 1, perLevel);
}

function cutBelow(shape: TypeShape, levels: number): void {
  if (shape.items) cutBelow(shape.items, levels);
  if (shape.objects === 0) return;
  if (levels === 0) {
    fieldsToValues(shape);
    shape.values = anyShape();
  } else for (const child of children(shape)) cutBelow(child, levels - 1);
}

function children(shape: TypeShape): TypeShape[] {
  const found = [...shape.fields.values()].map((field) => field.shape);
  return shape.values ? [...found, shape.values] : found;
}
