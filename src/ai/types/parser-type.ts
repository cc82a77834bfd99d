import { anyType, type SchemaType } from '../learned/schema-type.ts';

/** How many levels a parser describes. tsc gives up on the inferred types of deeper zod schemas. */
const MAX_DEPTH = 16;

/**
 * Returns the type of payloads that resemble a payload of this type. One payload proves no rule: in
 * the next payload, any member may be absent or null, and any text or number may differ.
 */
export function parserType(type: SchemaType, depth = 0): SchemaType {
  if (type.isAny || depth > MAX_DEPTH) return anyType();
  const inner = (it: SchemaType) => parserType(it, depth + 1);
  const members = type.object?.members.map((member) => ({
    ...member,
    type: inner(member.type),
    isOptional: true,
  }));
  return {
    isAny: false,
    isNull: type.isNull || depth > 0,
    isBoolean: type.isBoolean,
    number: type.number && 'any-number',
    text: type.text && { format: null, values: null },
    object: members ? { members } : null,
    map: type.map && inner(type.map),
    items: type.items && inner(type.items),
  };
}
