import type { HandlerPlan } from '../plan.ts';

/** Member types that accept no list: texts, numbers, and models. */
const MEMBER = /^ {4}(\w+): (\w+)(?: \| None)?(?: = None)?$/;
const SCALARS: ReadonlySet<string> = new Set(['str', 'int', 'float', 'bool']);

/**
 * A body of the handler's kind and type that surely doesn't fit its models. Null where
 * no simple one exists.
 */
export function misfitOf({ types, payload }: HandlerPlan): string | null {
  const document = misfitDocument(types, payload);
  if (document === null) return null;
  const json = JSON.stringify(document);
  if (payload.kind === 'json') return json;
  return payload.kind === 'json-in-form' ? `payload=${encodeURIComponent(json)}` : null;
}

function misfitDocument(
  types: HandlerPlan['types'],
  { code, name }: HandlerPlan['payload'],
): unknown {
  const declaration = `class ${name}(BaseModel):\n`;
  const at = code.indexOf(declaration);
  if (at === -1) return null;
  if (types === null || 'header' in types.source) return 'no object';
  const [path = []] = types.source.paths;
  const fields = code.slice(at + declaration.length).split('\n\n\n')[0] ?? '';
  for (const line of fields.split('\n')) {
    const [, member, type = ''] = MEMBER.exec(line) ?? [];
    const isOne = SCALARS.has(type) || code.includes(`class ${type}(BaseModel):\n`);
    if (member && member !== path[0] && isOne) {
      const typed = path.reduceRight<unknown>((value, part) => ({ [part]: value }), types.value);
      return { ...(typed as object), [member]: [] };
    }
  }
  return null;
}
