import type { Payload } from '../event-input.ts';

export type TypesLanguage = 'typescript' | 'python' | 'go';

export interface TypesRequest {
  body: Uint8Array;
  contentType: string | null;
  provider: string | null;
  eventType: string | null;
  language: TypesLanguage;
  /** What the code around the types calls its own. */
  reservedNames: readonly string[];
}

/** The types of one event's payload. */
export interface PayloadTypes {
  kind: Payload['kind'];
  /** The provider's word for the event, by headers or body; safe in any code. */
  eventType: string | null;
  /** The name of the payload's type. */
  name: string;
  /** Its declaration and those of its parts. */
  code: string;
  /** Sentences on what the types don't show. */
  notes: string[];
}
