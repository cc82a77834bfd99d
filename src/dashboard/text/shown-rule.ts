import { type JsonNode, parseLossless } from '../../core/text/lossless-json.ts';

const INDENT = '  ';
/** Longest object or list on one line, characters. */
const LINE = 60;

/**
 * The JSON form of a rule with its members on lines of their own. Numbers keep every digit,
 * which `JSON.parse` would round.
 *
 * @param source the text that contains the rule
 */
export function formatRule(source: string, node: JsonNode, depth = 0): string {
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
 * The rule at a member of an answer, as its owner edits it: text, or formatted JSON. Empty
 * without a rule.
 */
export function ruleIn(source: string, node: JsonNode | undefined): string {
  if (!node || source.slice(node.start, node.end) === 'null') return '';
  if (node.kind === 'string') return JSON.parse(source.slice(node.start, node.end)) as string;
  return formatRule(source, node);
}

/** The value of a member of an object; undefined where it has none. */
export function memberIn(node: JsonNode | null, name: string): JsonNode | undefined {
  return node?.members.find(({ key }) => key === JSON.stringify(name))?.value;
}

/** An answer whose object has a rule as `filter`: the same object with the rule's text. */
export function withRuleText<T extends { filter: unknown }>(source: string): T {
  const filter = ruleIn(source, memberIn(parseLossless(source), 'filter'));
  return { ...(JSON.parse(source) as T), filter: filter === '' ? null : filter };
}

/** A page of versions, each with its rule's text. */
export function withRuleTexts<T extends { filter: unknown }>(source: string): T[] {
  const { data } = JSON.parse(source) as { data: T[] };
  const nodes = memberIn(parseLossless(source), 'data')?.members ?? [];
  return data.map((one, i) => {
    const filter = ruleIn(source, memberIn(nodes[i]?.value ?? null, 'filter'));
    return { ...one, filter: filter === '' ? null : filter };
  });
}
