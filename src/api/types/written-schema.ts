import type { SchemaFormat } from '../../ai/learned/declared-types.ts';
import type { SchemaWriter } from '../../ai/learned/schema-writer.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Endpoint } from '../../core/model.ts';
import type { StoredType, TypeStore } from '../../store/contract/types.ts';

const MOST_NAMED = 10;

export interface SchemaParts {
  types: Pick<TypeStore, 'find' | 'list'>;
  schemas: Pick<SchemaWriter, 'write'>;
}

/**
 * Returns the schema of one type of an endpoint's events. Throws `type_not_found`,
 * `schema_not_found` if no body was JSON, and `overloaded`.
 *
 * @param type empty for events without a type
 */
export async function writtenSchema(
  { types, schemas }: SchemaParts,
  { endpoint, type }: { endpoint: Endpoint; type: string },
  format: SchemaFormat,
  signal: AbortSignal,
): Promise<string> {
  const found = await types.find(endpoint.key, type);
  if (!found) throw await noType(types, endpoint, type);
  const schema = await writtenSchemaOf(schemas, found, format, signal);
  if (schema === null) {
    throw new HookrelayError('schema_not_found', 'no event of this type had a JSON body', {
      hint: 'a schema is made from JSON bodies of at most 256 KiB',
    });
  }
  return schema;
}

/** Returns null if no body was JSON. */
export async function writtenSchemaOf(
  schemas: Pick<SchemaWriter, 'write'>,
  { provider, type, shape }: StoredType,
  format: SchemaFormat,
  signal: AbortSignal,
): Promise<string | null> {
  if (!shape) return null;
  const name = type === '' ? null : type;
  return schemas.write({ provider, type: name, shape, format }, signal);
}

async function noType(
  types: SchemaParts['types'],
  { key, settings: { name } }: Endpoint,
  type: string,
): Promise<HookrelayError> {
  const known = await types.list(key, { offset: 0, limit: MOST_NAMED });
  const message = type === '' ? `${name} has no event without a type` : `${name} has no such type`;
  return new HookrelayError('type_not_found', message, {
    hint:
      known.total === 0
        ? 'a type is learned within seconds of its first event'
        : `it has ${namesOf(known)}; a new type is learned within seconds`,
  });
}

function namesOf({ types, total }: Awaited<ReturnType<TypeStore['list']>>): string {
  const names = types.map(({ type }) => (type === '' ? 'events without a type' : type));
  const more = total - types.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}
