import type { AiEvent } from '../event-input.ts';
import { TypeGenerator } from '../types/type-generator.ts';

/** One thread for all who ask, whichever operation they ask by. */
export const sharedTypes = new TypeGenerator();

/**
 * The TypeScript type of an event's payload. Any payload has one: what is
 * neither JSON nor form-encoded is a `string`, an empty body `null`, and a
 * comment says so. The declarations are exported, what they don't show is told in
 * a comment above.
 *
 * Throws `overloaded` and `ai_unavailable`, see `TypeGenerator`.
 */
export async function generateSchema(
  event: AiEvent,
  options: { signal?: AbortSignal; types?: TypeGenerator } = {},
): Promise<string> {
  const { signal, types = sharedTypes } = options;
  const { body, contentType, provider, eventType } = event;
  const { code, notes } = await types.types(
    { body, contentType, provider, eventType, language: 'typescript', reservedNames: [] },
    signal,
  );
  return [...notes.map((note) => `// ${note}`), code, ''].join('\n');
}
