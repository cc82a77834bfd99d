import { pascalCase, singular, unused } from './identifiers.ts';
import { isOnlyObject, type ObjectType, type SchemaType } from './schema-type.ts';

/** Names that the code around the types uses. No type may get them. */
const RESERVED =
  'Any Array BaseModel Boolean Buffer ConfigDict Date Error Event Field Function Infinity JSON Literal Map Math NaN None False True Number Object Promise Proxy Readonly Record Reflect RegExp Request Response RootModel Set String Symbol UUID URL WeakMap'.split(
    ' ',
  );

interface NamedType {
  name: string;
  object: ObjectType;
}

export interface NamedTypes {
  name: string;
  /** All object types. A type comes after the types of its members. */
  types: NamedType[];
  /** Their names. A type comes before the types of its members. */
  names: ReadonlyMap<ObjectType, string>;
  /** How often a type is used. */
  uses: ReadonlyMap<ObjectType, number>;
}

/**
 * Names the object types of a payload. A type gets the name of the first member that holds it:
 * `User`, or `CommentUser` if another type is already called `User`. The payload's object gets the
 * payload's name, unless the payload may be something else too.
 *
 * @param reserved other names that no type may get
 */
export function nameTypes(
  root: SchemaType,
  wanted: string,
  reserved: readonly string[] = [],
): NamedTypes {
  const taken = new Set([...RESERVED, ...reserved]);
  const name = unused(wanted, taken);
  const isObject = isOnlyObject(root);
  const naming = new Naming(isObject ? root.object : null, taken);
  naming.visit(root, root.object && !isObject ? `${name} object` : name, '');
  return { name, types: naming.types, names: naming.names, uses: naming.uses };
}

class Naming {
  readonly types: NamedType[] = [];
  readonly names = new Map<ObjectType, string>();
  readonly uses = new Map<ObjectType, number>();
  readonly #root: ObjectType | null;
  readonly #taken: Set<string>;

  constructor(root: ObjectType | null, taken: Set<string>) {
    this.#root = root;
    this.#taken = taken;
  }

  visit(type: SchemaType, hint: string, parent: string): void {
    if (type.object) this.#object(type.object, hint, parent);
    if (type.map) this.visit(type.map, singular(hint), parent);
    if (type.items) this.visit(type.items, singular(hint), parent);
  }

  #object(object: ObjectType, hint: string, parent: string): void {
    const uses = this.uses.get(object) ?? 0;
    this.uses.set(object, uses + 1);
    if (uses > 0) return;
    const isRoot = object === this.#root;
    const name = isRoot ? hint : this.#name(hint, parent);
    this.names.set(object, name);
    for (const member of object.members) this.visit(member.type, member.name, isRoot ? '' : name);
    this.types.push({ name, object });
  }

  #name(hint: string, parent: string): string {
    const own = pascalCase(hint).slice(0, 60);
    const name = /^[A-Za-z]/.test(own) ? own : `Value${own}`;
    const full = this.#taken.has(name) ? `${parent.slice(0, 80 - name.length)}${name}` : name;
    return unused(full, this.#taken);
  }
}
