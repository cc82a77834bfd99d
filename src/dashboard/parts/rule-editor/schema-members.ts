import { nameText } from '../../../core/text/rule-spelling.ts';

/** A member of the event bodies of an endpoint, from the learned schema. */
export interface SchemaMember {
  /** The path in the syntax of rules: `body.items[*].sku`. */
  path: string;
  isText: boolean;
  /** The member's possible values, if there are only a few. */
  values: readonly string[];
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  definitions?: Record<string, Schema>;
  $defs?: Record<string, Schema>;
}

const MAX_MEMBERS = 300;
const MAX_DEPTH = 8;

/** Returns the members of a type's JSON Schema, outer members first. */
export function membersOfSchema(text: string): SchemaMember[] {
  const root = JSON.parse(text) as Schema;
  const members: SchemaMember[] = [];
  let level: { path: string; schema: Schema }[] = [{ path: 'body', schema: root }];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const below: typeof level = [];
    for (const { path, schema } of level) {
      for (const variant of variantsOf(schema, root)) {
        if (variant.items) below.push({ path: `${path}[*]`, schema: variant.items });
        for (const [name, member] of Object.entries(variant.properties ?? {})) {
          const at = `${path}.${nameText(name)}`;
          below.push({ path: at, schema: member });
          members.push(memberOf(at, member, root));
          if (members.length >= MAX_MEMBERS) return members;
        }
      }
    }
    level = below;
  }
  return members;
}

function memberOf(path: string, schema: Schema, root: Schema): SchemaMember {
  const variants = variantsOf(schema, root);
  const types = variants.flatMap(({ type, enum: values }) => type ?? (values ? 'string' : []));
  const values = variants.flatMap((one) => one.enum ?? ('const' in one ? [one.const] : []));
  return {
    path,
    isText: types.length > 0 && types.every((type) => type === 'string' || type === 'null'),
    values: values.filter((value) => value !== null).map(String),
  };
}

/**
 * Returns the schemas that apply in place of a schema: its alternatives, the schema that it refers
 * to, or itself.
 */
function variantsOf(schema: Schema, root: Schema, depth = 0): Schema[] {
  if (depth > MAX_DEPTH) return [];
  const next = (one: Schema) => variantsOf(one, root, depth + 1);
  const name = /^#\/(?:definitions|\$defs)\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  if (name !== undefined) {
    const meant = (root.definitions ?? root.$defs)?.[decodeURIComponent(name)];
    return meant ? next(meant) : [];
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives ? alternatives.flatMap(next) : [schema];
}
