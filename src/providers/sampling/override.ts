import { HookrelayError } from '../../core/errors.ts';
import { nearest } from '../../core/text/nearest.ts';
import type { BodyFormat, Json } from './sample.ts';

interface Override {
  /** The names of the path, or the name of a form's field. */
  path: string[];
  /** The text after the `=`. */
  text: string;
  /** True for `path:=value`. The value is then always JSON. */
  isJson: boolean;
}

interface OverrideOptions {
  format: BodyFormat;
  /** Whether overrides may add fields that the sample doesn't have. */
  add: boolean;
}

type Container = Json[] | { [name: string]: Json };

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** The largest number of names in an error. */
const MAX_NAMES = 12;
const INDEX = /^(0|[1-9]\d{0,6})$/;

/**
 * Parses an override such as `data.object.amount=500`. Dots separate the names, and `\.` is a dot
 * within a name. In a form, the whole path is one name. Throws `config_invalid`.
 */
export function parseOverride(argument: string, format: BodyFormat): Override {
  const equals = argument.indexOf('=');
  const isJson = argument[equals - 1] === ':';
  const path = argument.slice(0, isJson ? equals - 1 : equals);
  if (equals < 0 || path === '') {
    throw new HookrelayError('config_invalid', `"${argument}" is not an override`, {
      hint: 'write path=value, such as data.object.amount=500',
    });
  }
  return {
    path: format === 'form' ? [path] : splitPath(path),
    text: argument.slice(equals + 1),
    isJson,
  };
}

function splitPath(path: string): string[] {
  return path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
}

/**
 * Applies the overrides to a payload, in order, and returns the payload.
 *
 * Valid JSON becomes that JSON value. Any other value is text. A number stays text if the field has
 * text, because providers write prices as `"10.00"`.
 *
 * Throws `config_invalid` for a missing field, with the names of the existing fields.
 */
export function applyOverrides(
  payload: Json,
  overrides: readonly Override[],
  options: OverrideOptions,
): Json {
  for (const override of overrides) applyOverride(payload, override, options);
  return payload;
}

function applyOverride(payload: Json, override: Override, options: OverrideOptions): void {
  const { path } = override;
  let container = asContainer(payload, path, 0);
  for (const [depth, name] of path.slice(0, -1).entries()) {
    if (!has(container, name)) {
      if (!options.add) throw missing(container, path, depth);
      assign(container, name, {}, path, depth);
    }
    container = asContainer(get(container, name), path, depth + 1);
  }
  const depth = path.length - 1;
  const name = path[depth] as string;
  if (!has(container, name) && !options.add) throw missing(container, path, depth);
  const current = has(container, name) ? get(container, name) : null;
  assign(container, name, readValue(override, current, options.format), path, depth);
}

function readValue(override: Override, current: Json, format: BodyFormat): Json {
  const { text, isJson } = override;
  if (format === 'form') return text;
  const isNumber = NUMBER.test(text);
  if (isNumber && typeof current === 'string' && !isJson) return text;
  if (isNumber && !isExact(text)) {
    throw new HookrelayError(
      'config_invalid',
      `${text} is more than a JSON number holds exactly, in most languages`,
      { hint: `"${text}", with the quotes, sends it as text` },
    );
  }
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!isJson) return text;
    throw new HookrelayError('config_invalid', `${text} is not JSON`, { cause: error });
  }
}

function isExact(number: string): boolean {
  const value = Number(number);
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function asContainer(value: Json, path: readonly string[], depth: number): Container {
  if (typeof value === 'object' && value !== null) return value;
  const place = path.slice(0, depth).join('.');
  const kind = value === null ? 'null' : `a ${typeof value}`;
  throw new HookrelayError('config_invalid', `"${place}" is ${kind} and has no fields`, {
    hint: `--override '${place}={…}' replaces it whole`,
  });
}

function has(container: Container, name: string): boolean {
  if (Array.isArray(container)) return INDEX.test(name) && Number(name) < container.length;
  return Object.hasOwn(container, name);
}

function get(container: Container, name: string): Json {
  return (container as Record<string, Json>)[name] as Json;
}

function assign(
  container: Container,
  name: string,
  value: Json,
  path: readonly string[],
  depth: number,
): void {
  // An array accepts only the next index. JSON would lose names, and would fill gaps with null.
  if (Array.isArray(container) && !has(container, name) && name !== String(container.length)) {
    throw missing(container, path, depth);
  }
  // An assignment would not create a field named `__proto__`.
  Object.defineProperty(container, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function missing(container: Container, path: readonly string[], depth: number): HookrelayError {
  const place = path.slice(0, depth + 1).join('.');
  const message = `the sample has no field "${place}"`;
  if (Array.isArray(container)) {
    const list = path.slice(0, depth).join('.');
    const { length } = container;
    return new HookrelayError('config_invalid', message, {
      hint: `${list === '' ? 'it' : `"${list}"`} is a list of ${length}, counted from 0; --add takes ${length} for a new one`,
    });
  }
  const names = Object.keys(container);
  return new HookrelayError('config_invalid', message, {
    hint: `${whatIsThere(path[depth] as string, names)} --add makes a new one`,
  });
}

function whatIsThere(name: string, names: readonly string[]): string {
  const alike = nearest(name, names);
  if (alike !== null) return `did you mean ${alike}?`;
  if (names.length === 0) return 'there are none.';
  const shown = names.length > MAX_NAMES ? [...names.slice(0, MAX_NAMES), '…'] : names;
  return `there are ${shown.join(', ')}.`;
}
