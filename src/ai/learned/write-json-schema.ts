import type { NamedTypes } from './named-types.ts';
import type { ObjectType, SchemaType } from './schema-type.ts';

type Schema = Record<string, unknown>;

/**
 * Writes a JSON Schema whose keywords mean the same in drafts 7 to 2020-12. It has no `$schema`,
 * because validators refuse a draft that they aren't set up for.
 */
export function writeJsonSchema(root: SchemaType, named: NamedTypes): string {
  const writer = new Writer(named);
  const schema = writer.schema(root);
  const shared = named.types.filter(({ object }) => writer.isShared(object));
  const $defs = Object.fromEntries(
    shared.map(({ name, object }) => [name, writer.objectSchema(object)]),
  );
  const all = { title: named.name, ...schema, ...(shared.length > 0 ? { $defs } : {}) };
  return `${JSON.stringify(all, null, 2)}\n`;
}

class Writer {
  readonly #named: NamedTypes;

  constructor(named: NamedTypes) {
    this.#named = named;
  }

  isShared(object: ObjectType): boolean {
    return (this.#named.uses.get(object) ?? 0) > 1;
  }

  schema(type: SchemaType): Schema {
    if (type.isAny) return {};
    const parts: Schema[] = [];
    if (type.object) parts.push(this.#object(type.object));
    if (type.map) parts.push({ type: 'object', ...this.#inner('additionalProperties', type.map) });
    if (type.items) parts.push({ type: 'array', ...this.#inner('items', type.items) });
    if (type.text) {
      const { format, values } = type.text;
      parts.push({
        type: 'string',
        ...(format && { format }),
        ...(values && (values.length === 1 ? { const: values[0] } : { enum: values })),
      });
    }
    if (type.number) parts.push({ type: /number$/.test(type.number) ? 'number' : 'integer' });
    if (type.isBoolean) parts.push({ type: 'boolean' });
    if (type.isNull) parts.push({ type: 'null' });
    return united(parts);
  }

  objectSchema({ members }: ObjectType): Schema {
    const required = members.filter((it) => !it.isOptional).map((it) => it.name);
    return {
      type: 'object',
      properties: Object.fromEntries(members.map(({ name, type }) => [name, this.schema(type)])),
      ...(required.length > 0 ? { required } : {}),
    };
  }

  #object(object: ObjectType): Schema {
    if (!this.isShared(object)) return this.objectSchema(object);
    return { $ref: `#/$defs/${this.#named.names.get(object)}` };
  }

  #inner(keyword: string, type: SchemaType): Schema {
    return type.isAny ? {} : { [keyword]: this.schema(type) };
  }
}

/** Returns `{"type": ["string", "null"]}` if all parts are bare types, and `anyOf` otherwise. */
function united(parts: readonly Schema[]): Schema {
  const [first] = parts;
  if (parts.length === 1 && first) return first;
  const isBare = parts.every((part) => Object.keys(part).length === 1 && part.type !== undefined);
  return isBare ? { type: parts.map(({ type }) => type) } : { anyOf: parts };
}
