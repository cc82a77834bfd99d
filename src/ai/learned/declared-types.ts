import { type NamedTypes, nameTypes } from './named-types.ts';
import type { SchemaType } from './schema-type.ts';
import { sharedObjects } from './shared-objects.ts';
import { goFile, writeGo } from './write-go.ts';
import { writeJsonSchema } from './write-json-schema.ts';
import { pydanticModule, writePydantic } from './write-pydantic.ts';
import { writeTypeScript } from './write-typescript.ts';
import { writeZod, zodModule } from './write-zod.ts';

export type SchemaFormat = (typeof SCHEMA_FORMATS)[number];

export const SCHEMA_FORMATS = ['typescript', 'zod', 'jsonschema', 'pydantic', 'go'] as const;

interface Writer {
  write(root: SchemaType, named: NamedTypes): string;
  /** Returns a file that contains the declarations. */
  file(code: string, name: string): string;
}

const WRITERS: Record<SchemaFormat, Writer> = {
  typescript: { write: writeTypeScript, file: (code) => code },
  zod: { write: writeZod, file: zodModule },
  jsonschema: { write: writeJsonSchema, file: (code) => code },
  pydantic: { write: writePydantic, file: pydanticModule },
  go: { write: writeGo, file: goFile },
};

/** The declarations of a payload's types, without imports. */
export interface DeclaredTypes {
  name: string;
  code: string;
}

/** @param reserved names in the code around the declarations, which no type may get */
export function declaredTypes(
  type: SchemaType,
  wanted: string,
  format: SchemaFormat,
  reserved?: readonly string[],
): DeclaredTypes {
  const root = sharedObjects(type);
  // A payload that is a list contains several events.
  const one = root.items && !root.object ? `${wanted}s` : wanted;
  const named = nameTypes(root, one, reserved);
  return { name: named.name, code: WRITERS[format].write(root, named) };
}

export function typesFile({ name, code }: DeclaredTypes, format: SchemaFormat): string {
  return WRITERS[format].file(code, name);
}
