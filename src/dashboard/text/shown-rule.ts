import { type JsonNode, parseLossless } from '../../core/text/lossless-json.ts';

const INDENT = '  ';
/** The longest object or list that stays on one line, characters. */
const LINE = 60;

/**
 * Formats a rule in the JSON form, with each member on its own line. Keeps every digit of a number.
 * `JSON.parse` would round numbers.
 *
 * @param source the text that contains the rule
 */
function formatRule(source: string, node: JsonNode, depth = 0): string {
  const { kind, members, start, end } = node;
  if (members.length === 0 || (kind !== 'object' && kind !== 'array')) {
    return source.slice(start, end);
  }
  const [open, close] = kind === 'object' ? '{}' : '[]';
  const parts = members.map(
    ({ key, value }) => `${key === null ? '' : `${key}: `}${formatRule(source, value, depth + 1)}`,
  );
  const line = `${open}${parts.join(', ')}${close}`;
  if (depth > 0 && line.length <= LINE && !line.includes('\n')) return line;
  const inner = INDENT.repeat(depth + 1);
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${INDENT.repeat(depth)}${close}`;
}

/**
 * Returns the `filter` of an object as editable text, with formatted JSON. Returns null if there is
 * no rule.
 */
function ruleIn(source: string, object: JsonNode | null | undefined): string | null {
  const node = memberIn(object, 'filter');
  const written = source.slice(node?.start, node?.end);
  if (!node || written === 'null' || written === '""') return null;
  return node.kind === 'string' ? (JSON.parse(written) as string) : formatRule(source, node);
}

function memberIn(node: JsonNode | null | undefined, name: string): JsonNode | undefined {
  return node?.members.find(({ key }) => key === JSON.stringify(name))?.value;
}

/** Parses an answer that is an object with a rule. Replaces its `filter` with the rule's text. */
export function withRuleText<T extends { filter: unknown }>(source: string): T {
  return { ...(JSON.parse(source) as T), filter: ruleIn(source, parseLossless(source)) };
}

/** Parses a page of versions. Replaces the `filter` of each version with the rule's text. */
export function withRuleTexts<T extends { filter: unknown }>(source: string): T[] {
  const { data } = JSON.parse(source) as { data: T[] };
  const nodes = memberIn(parseLossless(source), 'data')?.members ?? [];
  return data.map((one, i) => ({ ...one, filter: ruleIn(source, nodes[i]?.value) }));
}
