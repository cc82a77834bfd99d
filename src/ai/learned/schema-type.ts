/** The type of the values at one place of a payload. Schemas are written from it. */
export interface SchemaType {
  /** The place may hold any value. The other fields then don't count. */
  isAny: boolean;
  isNull: boolean;
  isBoolean: boolean;
  /** `integer`: a double holds it exactly. `long`: it fits a signed 64-bit integer. */
  number: 'integer' | 'long' | 'number' | 'any-number' | null;
  text: TextType | null;
  object: ObjectType | null;
  /** The type of a map's values. The keys are texts. */
  map: SchemaType | null;
  items: SchemaType | null;
}

export interface TextType {
  format: TextFormat | null;
  /** The only values that were seen, sorted; null if others are possible. */
  values: string[] | null;
}

export type TextFormat = 'date-time' | 'date' | 'uuid' | 'uri' | 'email';

export interface ObjectType {
  members: MemberType[];
}

export interface MemberType {
  name: string;
  type: SchemaType;
  isOptional: boolean;
}

export function anyType(): SchemaType {
  return {
    ...{ isAny: true, isNull: false, isBoolean: false },
    ...{ number: null, text: null, object: null, map: null, items: null },
  };
}

/** Returns whether a type is an object and nothing else. */
export function isOnlyObject(type: SchemaType): boolean {
  const { isAny, isNull, isBoolean, number, text, object, map, items } = type;
  return object !== null && !(isAny || isNull || isBoolean || number || text || map || items);
}
