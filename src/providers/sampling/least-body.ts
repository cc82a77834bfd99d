import type { Provider } from '../provider.ts';
import type { Fresh } from './fresh.ts';
import { applyOverrides, parseOverride } from './override.ts';
import type { Json } from './sample.ts';

type Members = { [name: string]: Json };

const BODY = 'body.';
/** The length of an id's random part, characters. */
const ID_LENGTH = 24;

interface LeastBodyOptions {
  type: string;
  fresh: Fresh;
  /** Overrides as typed: `path=value`. */
  overrides: readonly string[];
  add: boolean;
}

/**
 * Returns the smallest body with a type and an id where the provider puts them. Throws
 * `config_invalid` for unusable overrides.
 */
export function leastBody(
  provider: Provider,
  { type, fresh, overrides, add }: LeastBodyOptions,
): Buffer {
  const least = provider.leastBody?.(type) ?? layout(provider, type, fresh);
  if (typeof least === 'string') return Buffer.from(least);
  const changed = applyOverrides(
    JSON.parse(JSON.stringify(least)),
    overrides.map((argument) => parseOverride(argument, 'json')),
    { format: 'json', add },
  );
  return Buffer.from(JSON.stringify(changed));
}

function layout({ typePaths, once }: Provider, type: string, fresh: Fresh): Members {
  const body: Members = {};
  const [paths = []] = once?.by ?? [];
  // A single path leads to an id. Several paths identify an event only together, so none of them
  // needs to be an id.
  const [idPath = ''] = paths.length === 1 ? paths : [];
  const id = idPath.startsWith(BODY) ? idPath.slice(BODY.length).split('.') : ['id'];
  put(body, id, `test_${fresh.base62(ID_LENGTH)}`);
  put(body, typePaths?.[0] ?? ['type'], type);
  return body;
}

function put(body: Members, path: readonly string[], value: string): void {
  let object = body;
  for (const name of path.slice(0, -1)) {
    const next = object[name];
    const isObject = typeof next === 'object' && next !== null && !Array.isArray(next);
    const member: Members = isObject ? next : {};
    object[name] = member;
    object = member;
  }
  object[path.at(-1) as string] = value;
}
