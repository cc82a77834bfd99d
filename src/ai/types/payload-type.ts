import { anyType, type MemberType, type SchemaType } from '../learned/schema-type.ts';
import type { TypeShape } from './shape.ts';

/** Returns the type of exactly this payload. Texts that name the kind of event are literals. */
export function payloadType(shape: TypeShape): SchemaType {
  if (shape.isAny) return anyType();
  const type: SchemaType = {
    isAny: false,
    isNull: shape.isNull,
    isBoolean: shape.isBoolean,
    number: shape.number === 'double' ? 'number' : shape.number,
    text: shape.isString ? { format: null, values: shape.kinds && [...shape.kinds].sort() } : null,
    object: shape.objects > 0 && !shape.values ? { members: membersOf(shape) } : null,
    map: shape.values && payloadType(shape.values),
    items: shape.items && payloadType(shape.items),
  };
  // The items of an empty array have no type.
  return Object.values(type).some(Boolean) ? type : anyType();
}

function membersOf({ fields, objects }: TypeShape): MemberType[] {
  return [...fields].map(([name, { shape, seen }]) => {
    // Every JavaScript object has these, so `{}` doesn't fit `{ toString?: string }`.
    const isInherited = name !== '__proto__' && name in Object.prototype;
    const type = isInherited ? anyType() : payloadType(shape);
    return { name, type, isOptional: seen < objects };
  });
}
