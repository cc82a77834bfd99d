import type { Shape } from '../../core/shapes/shape.ts';
import { typeName } from '../types/type-name.ts';
import type { LearnedType } from './learned-type.ts';
import { type NamedTypes, nameTypes } from './named-types.ts';
import { typeOfShape } from './type-of-shape.ts';
import { writeGo } from './write-go.ts';
import { writeJsonSchema } from './write-json-schema.ts';
import { writePydantic } from './write-pydantic.ts';
import { writeTypeScript } from './write-typescript.ts';
import { writeZod } from './write-zod.ts';

export type SchemaFormat = (typeof SCHEMA_FORMATS)[number];

export const SCHEMA_FORMATS = ['typescript', 'zod', 'jsonschema', 'pydantic', 'go'] as const;

/** A type of event, and what its payloads have in common. */
export interface LearnedEvents {
  provider: string | null;
  type: string | null;
  shape: Shape;
}

const WRITERS: Record<SchemaFormat, (root: LearnedType, named: NamedTypes) => string> = {
  typescript: writeTypeScript,
  zod: writeZod,
  jsonschema: writeJsonSchema,
  pydantic: writePydantic,
  go: writeGo,
};

/**
 * The schema of a type of event, as the text of a file: an exported TypeScript type, a zod
 * schema (zod 4), a JSON Schema (drafts 7 to 2020-12), a pydantic model (pydantic 2, Python
 * 3.10), or Go types for `encoding/json`. It accepts every payload that the shape has
 * seen, and members that it hasn't. The same shape gives the same text.
 */
export function learnedSchema(
  { provider, type, shape }: LearnedEvents,
  format: SchemaFormat,
): string {
  const root = typeOfShape(shape, type ?? '');
  const one = typeName(provider, type);
  // A payload that is a list has several events.
  const named = nameTypes(root, root.items && !root.object ? `${one}s` : one);
  return WRITERS[format](root, named);
}
