import type { EventPayload } from '../event-input.ts';

/** `typescript` describes this payload. The other formats parse payloads that resemble it. */
export type TypesFormat = 'typescript' | ParserFormat;
export type ParserFormat = 'zod' | 'pydantic' | 'go';

export interface TypesRequest {
  body: Uint8Array;
  contentType: string | null;
  provider: string | null;
  eventType: string | null;
  format: TypesFormat;
  /**
   * For a parser: the shape learned for the event type (`storedShape`), or null to use this payload
   * alone.
   */
  learned: Uint8Array | null;
  /** Names that the code around a parser uses. No type may get them. */
  reservedNames: readonly string[];
}

export interface PayloadTypes {
  /** `json-in-form`: the JSON comes from a form's field `payload`. */
  kind: EventPayload['kind'] | 'json-in-form';
  /** The event type, from the headers or the body. It is harmless in any code. */
  eventType: string | null;
  name: string;
  code: string;
  /** Sentences that state the limits of the types. */
  notes: string[];
  /**
   * Members that don't accept a list. Null unless the payload's type is an object, a map or a list.
   */
  oneValued: readonly string[] | null;
}
