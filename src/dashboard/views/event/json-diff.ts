import {
  type JsonMember,
  type JsonNode,
  parseLossless,
  stringValue,
} from '../../../core/text/lossless-json.ts';

export interface Difference {
  /** The path, such as `$.data.items[2].price`. */
  path: string;
  /** The value as the sender wrote it; null if it is absent. */
  left: string | null;
  right: string | null;
}

/** The largest number of listed differences. */
const MAX_DIFFERENCES = 2000;

/**
 * Compares two JSON texts member by member. Ignores blanks and the order of an object's members.
 * `1` and `1.0` are different. Returns null if one of the texts isn't JSON.
 */
export function diffJson(leftText: string, rightText: string): Difference[] | null {
  const left = parseLossless(leftText);
  const right = parseLossless(rightText);
  if (!left || !right) return null;
  const found: Difference[] = [];
  const pending: { path: string; left: JsonNode | null; right: JsonNode | null }[] = [
    { path: '$', left, right },
  ];
  while (pending.length > 0 && found.length < MAX_DIFFERENCES) {
    const next = pending.pop() as (typeof pending)[number];
    const a = next.left;
    const b = next.right;
    if (a && b && a.kind === b.kind && (a.kind === 'object' || a.kind === 'array')) {
      const pairs = a.kind === 'object' ? pairsByName(a, b) : pairsByPlace(a, b);
      // A stack returns its last element first, so push the pairs in reverse.
      for (const { step, left: x, right: y } of pairs.reverse()) {
        pending.push({ path: next.path + step, left: x, right: y });
      }
      continue;
    }
    const leftValue = a && leftText.slice(a.start, a.end);
    const rightValue = b && rightText.slice(b.start, b.end);
    if (a?.kind === 'string' && b?.kind === 'string') {
      if (stringValue(leftValue as string) === stringValue(rightValue as string)) continue;
    } else if (leftValue === rightValue) continue;
    found.push({ path: next.path, left: leftValue, right: rightValue });
  }
  return found;
}

interface Pair {
  step: string;
  left: JsonNode | null;
  right: JsonNode | null;
}

/** Pairs members by name. Members with the same name are paired in order. */
function pairsByName(left: JsonNode, right: JsonNode): Pair[] {
  const nameOf = ({ key }: JsonMember) => stringValue(key as string);
  const ofRight = Map.groupBy(right.members, nameOf);
  const pairs: Pair[] = left.members.map((member) => ({
    step: stepOf(nameOf(member)),
    left: member.value,
    right: ofRight.get(nameOf(member))?.shift()?.value ?? null,
  }));
  for (const [name, members] of ofRight) {
    for (const { value } of members) pairs.push({ step: stepOf(name), left: null, right: value });
  }
  return pairs;
}

function pairsByPlace(left: JsonNode, right: JsonNode): Pair[] {
  const length = Math.max(left.members.length, right.members.length);
  return Array.from({ length }, (_, i) => ({
    step: `[${i}]`,
    left: left.members[i]?.value ?? null,
    right: right.members[i]?.value ?? null,
  }));
}

function stepOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
