import type { ReadMember } from './provider.ts';

/** Reads own members of a parsed body. */
export function lookInto(body: unknown): ReadMember {
  return (...path) => {
    let value = body;
    for (const name of path) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
        return undefined;
      }
      value = (value as Record<string, unknown>)[name];
    }
    return value;
  };
}
