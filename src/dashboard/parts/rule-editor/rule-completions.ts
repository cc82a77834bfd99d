import { isTypedText } from '../../../core/text/rule-spelling.ts';
import { isJsonRule, OPERATORS, valueText } from '../../text/rule-text.ts';
import { VERIFICATIONS } from '../../text/verification-text.ts';
import { scanText } from './rule-tokens.ts';
import type { SchemaMember } from './schema-members.ts';

/** What the server learned about an endpoint's events. */
export interface Suggestions {
  members: readonly SchemaMember[];
  types: readonly string[];
  providers: readonly string[];
}

interface Completion {
  label: string;
  detail?: string;
  /** The text to insert, if it differs from the label. */
  apply?: string;
}

interface Completions {
  /** The offset where the replaced text begins. */
  from: number;
  options: Completion[];
}

const ROOTS = [
  { label: 'body', detail: 'the JSON body' },
  { label: 'type', detail: 'the type of the event' },
  { label: 'provider', detail: 'who sent it' },
  { label: 'header.', detail: 'a header' },
  { label: 'method', detail: 'GET, POST, …' },
  { label: 'path', detail: 'after the capture URL' },
  { label: 'query.', detail: 'a query parameter' },
  { label: 'form.', detail: 'a form field' },
  { label: 'verification', detail: 'the proof of the sender' },
  { label: 'size', detail: 'bytes of the body' },
  { label: 'source_ip', detail: 'the sender’s address' },
];

const SIGNS: readonly Completion[] = [
  ...OPERATORS.map(([label, detail]) => ({ label, detail })),
  { label: 'in', detail: 'is one of', apply: ' in (' },
];

const JOINTS: readonly Completion[] = [
  { label: 'and', detail: 'both hold', apply: 'and ' },
  { label: 'or', detail: 'one holds', apply: 'or ' },
];

const JSON_PARTS = ROOTS.map(({ label, detail }) => ({
  label: label === 'header.' ? 'headers' : label.replace('.', ''),
  detail,
}));

const JSON_OPERATORS: readonly Completion[] = [
  { label: '$eq', detail: 'is exactly' },
  { label: '$neq', detail: 'is not' },
  { label: '$gt', detail: 'above' },
  { label: '$gte', detail: 'at least' },
  { label: '$lt', detail: 'below' },
  { label: '$lte', detail: 'at most' },
  { label: '$in', detail: 'is one of' },
  { label: '$nin', detail: 'is none of' },
  { label: '$startsWith', detail: 'begins with' },
  { label: '$endsWith', detail: 'ends with' },
  { label: '$contains', detail: 'contains' },
  { label: '$regex', detail: 'matches (RE2)' },
  { label: '$exist', detail: 'is there, or not' },
  { label: '$ref', detail: 'the value at a path' },
  { label: '$at', detail: 'the element with this index' },
];

const JSON_LOGIC: readonly Completion[] = [
  { label: '$and', detail: 'all hold' },
  { label: '$or', detail: 'one holds' },
  { label: '$not', detail: 'doesn’t hold' },
];

/** Values that are the same for every endpoint, by part of the request. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  method: ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'],
  verification: VERIFICATIONS,
};

/** Returns the suggestions at a place of a rule in either form, or null if there are none. */
export function completionsAt(text: string, at: number, known: Suggestions): Completions | null {
  return isJsonRule(text) ? inJson(text.slice(0, at), known) : inText(text.slice(0, at), known);
}

function inText(before: string, known: Suggestions): Completions | null {
  const { tokens, expected, path } = scanText(before);
  const last = tokens.at(-1);
  const isTouching = last !== undefined && last.to === before.length;
  if (isTouching && last.kind === 'path') {
    // An operator may follow a complete path.
    if (isKnown(path, known)) return { from: before.length, options: [...SIGNS] };
    return { from: last.from, options: pathsOf(known) };
  }
  if (isTouching && (last.kind === 'text' || last.kind === 'number' || last.kind === 'literal')) {
    return { from: last.from, options: valuesOf(path || pathBefore(before, last.from), known) };
  }
  if (isTouching && last.kind === 'wrong') {
    if (expected === 'joint') return { from: last.from, options: [...JOINTS] };
    return expected === 'operator' ? { from: last.from, options: [...SIGNS] } : null;
  }
  const from = before.length;
  switch (expected) {
    case 'path':
      return { from, options: [...pathsOf(known), { label: 'not', apply: 'not (' }] };
    case 'operator':
      return { from, options: [...SIGNS] };
    case 'value':
    case 'list value':
      return { from, options: valuesOf(path, known) };
    case 'joint':
      // A blank ends a condition.
      return isTouching && last.kind !== 'bracket' ? null : { from, options: [...JOINTS] };
    case 'list':
      return null;
  }
}

const pathBefore = (text: string, at: number): string => scanText(text.slice(0, at)).path;

function isKnown(path: string, { members }: Suggestions): boolean {
  const isPart = ROOTS.some(({ label }) => label === path && label !== 'body');
  return isPart || members.some((member) => member.path === path);
}

function pathsOf({ members }: Suggestions): Completion[] {
  const learned = members.map(({ path, values, isText }) => ({
    label: path,
    detail: values.length > 0 ? values.slice(0, 3).join(', ') : isText ? 'text' : '',
  }));
  return [...learned, ...ROOTS];
}

function valuesOf(path: string, known: Suggestions): Completion[] {
  const member = known.members.find((one) => one.path === path);
  return plainValues(path, known).map((value) => ({
    label: value,
    apply: valueText(value, member?.isText ?? false),
  }));
}

function plainValues(path: string, { members, types, providers }: Suggestions): readonly string[] {
  if (path === 'type') return types;
  if (path === 'provider') return providers;
  return members.find((one) => one.path === path)?.values ?? FIXED[path] ?? [];
}

interface Level {
  /** The name of the member whose value follows; empty for an element of a list. */
  name: string;
  isList: boolean;
}

/** Returns the members that are open at the end of a JSON text, and whether a value follows. */
function jsonPlace(before: string) {
  const open: Level[] = [];
  let name = '';
  let isValue = false;
  let quoted: { from: number; text: string } | null = null;
  const strings = /"((?:[^"\\]|\\.)*)("?)|[{}[\],:]/g;
  for (const { 0: all, 1: text, 2: end, index } of before.matchAll(strings)) {
    if (all.startsWith('"')) {
      if (end === '') quoted = { from: index, text: text as string };
      else if (!isValue && !open.at(-1)?.isList) name = text as string;
    } else if (all === ':') isValue = true;
    else if (all === '{' || all === '[') {
      open.push({ name: open.at(-1)?.isList ? '' : name, isList: all === '[' });
      name = '';
      isValue = all === '[';
    } else if (all === ',') {
      isValue = open.at(-1)?.isList ?? false;
      if (!isValue) name = '';
    } else {
      open.pop();
      isValue = false;
    }
  }
  return { open, name, isValue, quoted };
}

function inJson(before: string, known: Suggestions): Completions | null {
  const { open, name, isValue, quoted } = jsonPlace(before);
  if (open.length === 0) return null;
  const word = quoted ? null : /[\w$.-]*$/.exec(before);
  const from = quoted ? quoted.from : before.length - (word?.[0].length ?? 0);
  const names = open.slice(1).map((level) => level.name);
  const path = [...names, isValue ? name : ''].filter((one) => one !== '' && !one.startsWith('$'));
  const textPath = path.map((one) => (one === 'headers' ? 'header' : one)).join('.');
  const quote = (option: Completion, after: string): Completion => ({
    ...option,
    apply: JSON.stringify(option.label) + after,
  });
  if (isValue) {
    const member = known.members.find((one) => one.path === textPath);
    const options = plainValues(textPath, known).map((value): Completion => {
      const isTyped = member?.isText === false && isTypedText(value, 'body');
      return isTyped && !quoted ? { label: value } : quote({ label: value }, '');
    });
    return options.length > 0 ? { from, options } : null;
  }
  if (path.length === 0) {
    return { from, options: [...JSON_PARTS, ...JSON_LOGIC].map((option) => quote(option, ': ')) };
  }
  const below = known.members.flatMap((member) => {
    const rest = member.path.replaceAll('[*]', '').slice(textPath.length + 1);
    const isBelow = member.path.replaceAll('[*]', '').startsWith(`${textPath}.`);
    return isBelow && rest !== '' && !/[."]/.test(rest) ? [{ label: rest }] : [];
  });
  const all = [...below, ...JSON_OPERATORS, ...JSON_LOGIC];
  return { from, options: all.map((option) => quote(option, ': ')) };
}
