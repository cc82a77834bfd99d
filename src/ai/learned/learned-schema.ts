import type { PayloadShape } from '../../core/shapes/shape.ts';
import { typeName } from '../types/type-name.ts';
import { declaredTypes, type SchemaFormat, typesFile } from './declared-types.ts';
import { typeOfShape } from './type-of-shape.ts';

/** An event type, and the shape of its payloads. */
export interface LearnedEvents {
  provider: string | null;
  type: string | null;
  shape: PayloadShape;
}

/**
 * Returns the schema of an event type as the text of a file: an exported TypeScript type, a zod
 * schema (zod 4), a JSON Schema (drafts 7 to 2020-12), a pydantic model (pydantic 2, Python 3.10),
 * or Go types for `encoding/json`. The schema accepts every payload that the shape was learned
 * from, and members that no payload had. The same shape always gives the same text.
 */
export function learnedSchema(
  { provider, type, shape }: LearnedEvents,
  format: SchemaFormat,
): string {
  const root = typeOfShape(shape, type ?? '');
  return typesFile(declaredTypes(root, typeName(provider, type), format), format);
}
