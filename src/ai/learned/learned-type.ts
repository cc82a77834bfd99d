/** The type of the values at one place, for a schema. */
export interface SchemaType {
  /** Any value; the other fields don't count. */
  isAny: boolean;
  isNull: boolean;
  isBoolean: boolean;
  /** `integer` is safe in a double, `long` fits 64 bits, signed. */
  number: 'integer' | 'long' | 'number' | 'any-number' | null;
  text: TextType | null;
  object: ObjectType | null;
  /** The values of a map from text. */
  map: SchemaType | null;
  items: SchemaType | null;
}

export interface TextType {
  format: TextFormat | null;
  /** The only values, sorted. */
  values: string[] | null;
}

export type TextFormat = 'date-time' | 'date' | 'uuid' | 'uri' | 'email';

/** Equal object types are one object, so `===` compares them. */
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
