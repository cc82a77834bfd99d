import type { EventPayload } from '../event-input.ts';

/** `typescript` describes this payload. The others parse payloads like it. */
export type TypesFormat = 'typescript' | ParserFormat;
export type ParserFormat = 'zod' | 'pydantic' | 'go';

export interface TypesRequest {
  body: Uint8Array;
  contentType: string | null;
  provider: string | null;
  eventType: string | null;
  format: TypesFormat;
  /** For a parser: the shape of the event's type (`storedShape`); null to use this payload alone. */
  learned: Uint8Array | null;
  /** Names in the code around a parser, which no type may get. */
  reservedNames: readonly string[];
}

/** The types of an event's payload. */
export interface PayloadTypes {
  /** `json-in-form`: the JSON is a form's field `payload`. */
  kind: EventPayload['kind'] | 'json-in-form';
  /** The event type, from the headers or the body. Safe in any code. */
  eventType: string | null;
  /** The name of the payload's type. */
  name: string;
  /** The declarations of that type and of its parts. */
  code: string;
  /** Sentences about the limits of the types. */
  notes: string[];
  /** Members that accept no list, if the payload's type is an object, a map or a list; otherwise null. */
  oneValued: readonly string[] | null;
}
