import { hash } from 'node:crypto';
import { readerAt } from '../../core/judging/body-reader.ts';
import { type Dedupe, type OnceKey, UNKNOWN_BODY } from '../../core/proof/dedupe.ts';
import { isScalar, type Value, writeDocument } from '../../core/rules/document.ts';
import type { PartName } from '../../core/rules/filter.ts';
import { EVERY, type PathStep, pathText } from '../../core/rules/path.ts';
import { readRequestPath } from '../../core/rules/read-text.ts';
import {
  MAX_TYPED_BODY_BYTES,
  RequestParts,
  type RuledRequest,
} from '../../core/rules/request-parts.ts';
import { MOST_STEPS, RuleTooCostly } from '../../core/rules/work.ts';
import { bodyType } from '../../providers/body-type.ts';
import type { OnceBy } from '../../providers/provider.ts';
import { providerOf } from '../../providers/providers.ts';
import { bodyHash } from './body-hash.ts';

/**
 * `by`: lists of paths. The values at the paths of one list make a key. `varies`: paths in the body
 * whose values may differ when a request is repeated.
 */
interface ReadOnceBy {
  by: readonly (readonly PathStep[][])[];
  varies: readonly (readonly PathStep[])[];
}

const NOTHING: ReadOnceBy = { by: [], varies: [] };

/**
 * Makes once-only keys, by which an endpoint recognises repeated requests.
 *
 * A key consists of non-empty text, numbers, booleans, and lists of these that a path reads with
 * `[*]`. Null, an object, any other list or a missing value gives no key. Order keys have the same
 * rule.
 */
export class OnceKeys {
  readonly #since: string;
  /** Null if the request's provider sets the paths. */
  readonly #paths: readonly PathStep[][] | null;
  readonly #sourceProvider: string | null;

  /**
   * Throws `RuleSyntaxError` for paths that only a newer version can read.
   *
   * @param source the name of the endpoint's source; null without one
   */
  constructor({ by, since }: Dedupe, source: string | null) {
    this.#since = since;
    this.#paths = by === 'provider' ? null : sorted(by.map(readRequestPath));
    this.#sourceProvider = providerOf(source) && source;
  }

  /** Whether a value of the request's key comes from the body. */
  readsBody(request: Pick<RuledRequest, 'provider'>): boolean {
    return this.#by(request).lists.flat().some(isOfBody);
  }

  /** Returns the key of a request; null if a value is missing. Throws `RuleTooCostly`. */
  keyOf(request: Pick<RuledRequest, 'provider' | 'body'>, parts: RequestParts): OnceKey | null {
    const { varies } = this.#by(request);
    return this.#key(request, parts, () => bodyHash(request.body, varies, () => parts.get('body')));
  }

  /**
   * Returns the key of a request that is too costly to judge. Reads only the key's values. If that
   * also costs too much, hashes the whole body instead. `isRead` is then false.
   */
  keyApart(request: RuledRequest): { once: OnceKey | null; isRead: boolean } {
    const { lists, varies } = this.#by(request);
    const paths = lists.flat().flatMap(([part, ...steps]) => (part === 'body' ? [steps] : []));
    const parts = new RequestParts(request, bodyType, MOST_STEPS, readerAt(paths));
    const isKnown = varies.length === 0 || request.body.length <= MAX_TYPED_BODY_BYTES;
    try {
      const once = this.#key(request, parts, () =>
        isKnown ? bodyHash(request.body, varies, () => parts.get('body')) : UNKNOWN_BODY,
      );
      return { once, isRead: true };
    } catch (error) {
      if (!(error instanceof RuleTooCostly)) throw error;
      const body = hash('sha256', request.body, 'base64url');
      return { once: { key: this.#hash([body]), body }, isRead: false };
    }
  }

  #by({ provider: recognised }: Pick<RuledRequest, 'provider'>) {
    const provider = this.#sourceProvider ?? recognised;
    const { by, varies } = givenBy(provider);
    return this.#paths === null
      ? { scope: provider, lists: by, varies }
      : { scope: null, lists: [this.#paths], varies };
  }

  #key(
    request: Pick<RuledRequest, 'provider'>,
    parts: RequestParts,
    bodyOf: () => string,
  ): OnceKey | null {
    const { scope, lists } = this.#by(request);
    for (const paths of lists) {
      const values = valuesAt(paths, parts);
      if (values === null) continue;
      const named = paths.map((path, i) => [pathText(path), values[i] as Value]);
      return { key: this.#hash([scope, named]), body: bodyOf() };
    }
    return null;
  }

  #hash(values: Value[]): string {
    return hash('sha256', writeDocument([this.#since, ...values]), 'base64url');
  }
}

function isOfBody([part]: readonly PathStep[]): boolean {
  return part === 'body' || part === 'form';
}

const read = new Map<string, ReadOnceBy>();

/** Returns the paths of values that a provider repeats when it sends an event again. */
function givenBy(name: string | null): ReadOnceBy {
  const once: OnceBy | undefined = providerOf(name)?.once;
  if (name === null || once === undefined) return NOTHING;
  const known = read.get(name);
  if (known) return known;
  const made = {
    by: once.by.map((paths) => sorted(paths.map(readRequestPath))),
    varies: (once.varies ?? []).map((path) => readRequestPath(path).slice(1)),
  };
  read.set(name, made);
  return made;
}

/** Sorts paths, so their order in the settings doesn't change a key. */
function sorted(paths: PathStep[][]): PathStep[][] {
  return paths
    .map((path) => ({ path, text: pathText(path) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ path }) => path);
}

function valuesAt(paths: readonly PathStep[][], parts: RequestParts): Value[] | null {
  const values: Value[] = [];
  for (const [part, ...steps] of paths) {
    const value = keyValue(parts.get(part as PartName), steps, parts);
    if (value === undefined) return null;
    values.push(value);
  }
  return values;
}

/**
 * Returns the value at a path; undefined if it can't be part of a key. With `[*]`, every element of
 * the list must have the value.
 */
function keyValue(
  value: Value | undefined,
  [step, ...rest]: readonly PathStep[],
  parts: RequestParts,
): Value | undefined {
  if (value === undefined || value === null) return undefined;
  if (step === undefined) return isScalar(value) && value !== '' ? value : undefined;
  if (step === EVERY) {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    parts.work.spend(value.length);
    const values = value.map((element) => keyValue(element, rest, parts));
    return values.every((one) => one !== undefined) ? values : undefined;
  }
  return keyValue(memberAt(value, step), rest, parts);
}

function memberAt(value: Value, step: PathStep): Value | undefined {
  if (isScalar(value)) return undefined;
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  return typeof step === 'string' && Object.hasOwn(value, step) ? value[step] : undefined;
}
