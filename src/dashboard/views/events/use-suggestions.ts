import { loadProviders, session } from '../../model/page.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import type { Suggestions } from '../../parts/rule-editor/rule-completions.ts';
import { membersOfSchema, type SchemaMember } from '../../parts/rule-editor/schema-members.ts';
import { foreignParts } from '../../text/foreign-text.ts';

/** Without a type in the filter, this many types provide members: the most frequent ones. */
const MOST_SCHEMAS = 5;

const NONE: Suggestions = { members: [], types: [], providers: [] };

/** Returns what a filter may name: learned members and types of the endpoint, and providers. */
export function useSuggestions(endpointId: string | null, type: string | null): Suggestions {
  const { value } = useLoaded(`${endpointId} ${type}`, async (signal) => {
    const [providers, types] = await Promise.all([
      loadProviders(),
      endpointId === null
        ? []
        : session.call('GET /api/endpoints/{id}/types', { params: { id: endpointId }, signal }),
    ]);
    const frequent = types.toSorted((a, b) => b.count - a.count).slice(0, MOST_SCHEMAS);
    const shown = types.filter((one) => one.type === type);
    const schemas = await Promise.all(
      (type !== null && shown.length > 0 ? shown : frequent).map((one) =>
        loadMembers(endpointId as string, one.type ?? '', signal),
      ),
    );
    const seen = types.flatMap((one) => one.provider ?? []);
    return {
      members: mergedMembers(schemas.flat()).filter(({ path }) => isPlain(path)),
      types: types.flatMap((one) => one.type ?? []).filter(isPlain),
      providers: [...new Set([...seen, ...providers.map(({ name }) => name)])],
    };
  });
  return value ?? NONE;
}

/** Returns whether a browser's native list can show the whole text. */
const isPlain = (text: string) => !foreignParts(text).some(({ isEscape }) => isEscape);

/** Loads the members of a type's bodies. Returns an empty list if nothing is learned yet. */
async function loadMembers(
  endpointId: string,
  type: string,
  signal: AbortSignal,
): Promise<SchemaMember[]> {
  try {
    const { schema } = await session.call('GET /api/endpoints/{id}/types/schema', {
      params: { id: endpointId },
      query: { type, format: 'jsonschema' },
      signal,
    });
    return membersOfSchema(schema);
  } catch {
    return [];
  }
}

/** Merges members with the same path. Each gets the values of all types. */
function mergedMembers(members: readonly SchemaMember[]): SchemaMember[] {
  const byPath = new Map<string, SchemaMember>();
  for (const member of members) {
    const known = byPath.get(member.path);
    byPath.set(member.path, {
      path: member.path,
      isText: member.isText && (known?.isText ?? true),
      values: [...new Set([...(known?.values ?? []), ...member.values])],
    });
  }
  return [...byPath.values()];
}
