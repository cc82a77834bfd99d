import type { ObjectType, SchemaType } from './schema-type.ts';

/** Returns the same type, in which equal object types are one object: each is declared once. */
export function sharedObjects(type: SchemaType, known = new Map<string, ObjectType>()): SchemaType {
  const inner = (it: SchemaType) => sharedObjects(it, known);
  const members = type.object?.members.map((member) => ({ ...member, type: inner(member.type) }));
  return {
    ...type,
    object: members ? shared({ members }, known) : null,
    map: type.map && inner(type.map),
    items: type.items && inner(type.items),
  };
}

function shared(object: ObjectType, known: Map<string, ObjectType>): ObjectType {
  const key = JSON.stringify(object);
  const first = known.get(key) ?? object;
  known.set(key, first);
  return first;
}
