import { indexJson, type JsonKind, kindOf, NO_KEY, NO_PARENT, nameOf } from './json-index.ts';

/**
 * A JSON value with its place in the text. Numbers keep their spelling (`12345678901234567890`,
 * `1.0`). Members keep their order, and repeated names stay.
 */
export interface JsonNode {
  kind: JsonKind;
  /** The offset of the value's first character. */
  start: number;
  /** The offset after the value's last character. */
  end: number;
  /** The members of an object or an array. */
  members: JsonMember[];
}

export interface JsonMember {
  /** The name as written, with its quotes and escapes. Null in an array. */
  key: string | null;
  /** The offset of the name, or of the value in an array. */
  start: number;
  value: JsonNode;
}

/** Parses JSON of any depth. Returns null for malformed text. */
export function parseLossless(text: string): JsonNode | null {
  const index = indexJson(text);
  if (!index) return null;
  const nodes: JsonNode[] = [];
  for (let i = 0; i < index.length; i++) {
    const start = index.start[i] as number;
    const value = { kind: kindOf(text, index, i), start, end: index.end[i] as number, members: [] };
    nodes.push(value);
    const parent = index.parent[i] as number;
    if (parent === NO_PARENT) continue;
    const name = index.key[i] as number;
    const member = { key: nameOf(text, index, i), start: name === NO_KEY ? start : name, value };
    nodes[parent]?.members.push(member);
  }
  return nodes[0] ?? null;
}

/**
 * Returns the member at an error's path, such as `body.items.0`. Names may contain dots. The last
 * of several members with the same name counts. If the path leads nowhere, returns the deepest
 * member on it. Null if the path has no member at all.
 */
export function memberAt(root: JsonNode, path: string): JsonMember | null {
  let found: JsonMember | null = null;
  let node = root;
  let rest = path;
  while (rest !== '') {
    let longest = -1;
    for (const [place, member] of node.members.entries()) {
      const name = member.key === null ? String(place) : stringValue(member.key);
      const isStep = rest === name || rest.startsWith(`${name}.`);
      if (isStep && name.length >= longest) [found, longest] = [member, name.length];
    }
    if (longest < 0) break;
    node = (found as JsonMember).value;
    rest = rest.slice(longest + 1);
  }
  return found;
}

/** Returns the value of a JSON string, or the text itself if it is malformed. */
export function stringValue(written: string): string {
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}
