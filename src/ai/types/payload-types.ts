import type { Payload } from '../event-input.ts';

export type TypesLanguage = 'typescript' | 'python' | 'go';

export interface TypesRequest {
  body: Uint8Array;
  contentType: string | null;
  provider: string | null;
  eventType: string | null;
  language: TypesLanguage;
  /** Names in the code around the types. No type gets one of them. */
  reservedNames: readonly string[];
}

/** The types of one event's payload. */
export interface PayloadTypes {
  /** `json-in-form`: the JSON is a form's field `payload`. */
  kind: Payload['kind'] | 'json-in-form';
  /** The event type, from the headers or the body. Safe in any code. */
  eventType: string | null;
  /** The name of the payload's type. */
  name: string;
  /** The declarations of that type and of its parts. */
  code: string;
  /** Sentences about the limits of the types. */
  notes: string[];
}
