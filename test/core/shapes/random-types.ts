import type { JsonPayload } from '../../../src/core/shapes/payload.ts';
import { readPayload } from '../../../src/core/shapes/read-payload.ts';

export function payload(value: unknown): JsonPayload {
  return readPayload(Buffer.from(JSON.stringify(value))) as JsonPayload;
}

/** Makes the next payload of a type. */
export type Maker = (random: () => number) => unknown;

/** Numbers from 0 to 1, the same for the same seed (mulberry32, public domain, Tommy Ettinger). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const STRINGS: Maker[] = [
  (random) => `text ${random()}`,
  (random) => ['open', 'closed', 'merged'][Math.floor(random() * 3)],
  (random) => new Date(random() * 2e12).toISOString(),
];
/**
 * Largest share of payloads with a varying member. A more frequent member is absent so rarely that
 * 50 payloads don't show it, and its first absence is a drift by contract.
 */
const MAX_CHANCE = 0.7;

/** A type of event with optional, nullable, united, mapped and listed members at random chances. */
export function randomType(random: () => number): Maker {
  return object(random, 0);
}

function object(random: () => number, depth: number): Maker {
  const members = Array.from({ length: 2 + Math.floor(random() * 8) }, (_, i) => {
    const isOptional = random() < 0.4;
    const chance = isOptional ? random() * MAX_CHANCE : 1;
    return { name: `member_${'abcdefghij'[i]}`, make: value(random, depth + 1), chance };
  });
  return (next) => {
    const made: Record<string, unknown> = {};
    for (const { name, make, chance } of members) if (next() < chance) made[name] = make(next);
    return made;
  };
}

function value(random: () => number, depth: number): Maker {
  const kind = random();
  const chance = 1 - MAX_CHANCE + random() * (2 * MAX_CHANCE - 1);
  if (kind < 0.15) return either(value(random, depth), () => null, chance);
  if (kind < 0.25) return either(value(random, depth), value(random, depth), chance);
  if (depth < 4 && kind < 0.45) return object(random, depth);
  if (depth < 4 && kind < 0.55) return listOf(value(random, depth + 1));
  if (depth < 4 && kind < 0.65) return mapOf(value(random, depth + 1));
  if (kind < 0.8) return (next) => Math.floor(next() * 1000) / (next() < 0.5 ? 1 : 10);
  if (kind < 0.85) return (next) => next() < 0.5;
  return STRINGS[Math.floor(random() * STRINGS.length)] as Maker;
}

function either(one: Maker, other: Maker, chance: number): Maker {
  return (next) => (next() < chance ? one(next) : other(next));
}

function listOf(make: Maker): Maker {
  return (next) => Array.from({ length: Math.floor(next() * 4) }, () => make(next));
}

function mapOf(make: Maker): Maker {
  return (next) => {
    const size = Math.floor(next() * 5);
    const names = Array.from({ length: size }, () => `key${Math.floor(next() * 1e6)}`);
    return Object.fromEntries(names.map((name) => [name, make(next)]));
  };
}
