import type { EventPayload } from '../event-input.ts';

/** TypeScript's types describe this payload. The others are parsers of payloads like it. */
export type TypesFormat = 'typescript' | ParserFormat;
export type ParserFormat = 'zod' | 'pydantic' | 'go';

export interface TypesRequest {
  body: Uint8Array;
  contentType: string | null;
  provider: string | null;
  eventType: string | null;
  format: TypesFormat;
  /** What all payloads of the event's type have in common (`storedShape`), for a parser; null to read this one alone. */
  learned: Uint8Array | null;
  /** Names in the code around a parser. No type gets one of them. */
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
  /** For a parser of an object, a map or a list: plain names of members that accept no list. Otherwise null. */
  oneValued: readonly string[] | null;
}
