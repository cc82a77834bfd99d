import type { JobTerms } from '../../core/threads/job-thread.ts';
import type { AiEvent } from '../event-input.ts';
import type { TypeGenerator } from './type-generator.ts';

/**
 * Returns the TypeScript type of an event's payload: exported declarations, below comments that
 * state their limits. Every payload has a type. An empty body is `null`, and a body that is neither
 * JSON nor form-encoded is a `string`.
 *
 * Throws `overloaded` and `ai_unavailable`, see `TypeGenerator`.
 */
export async function generateSchema(
  event: AiEvent,
  { types, terms }: { types: TypeGenerator; terms?: JobTerms },
): Promise<string> {
  const { body, contentType, provider, eventType } = event;
  const { code, notes } = await types.types(
    {
      ...{ body, contentType, provider, eventType },
      ...{ format: 'typescript', learned: null, reservedNames: [] },
    },
    terms,
  );
  return [...notes.map((note) => `// ${note}`), code, ''].join('\n');
}
