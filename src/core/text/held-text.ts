/** A held delivery’s destination, and what the delivery waits for. */
interface Held {
  name: string;
  waits_for: 'paused' | 'unjudged' | 'breaker' | 'transform' | 'order';
}

const HOLDERS: Record<Held['waits_for'], (name: string) => string> = {
  paused: (name) => `by ${name}’s pause`,
  unjudged: (name) => `for you, unjudged, at ${name}`,
  breaker: (name) => `by ${name}’s breaker`,
  transform: (name) => `by ${name}’s transform`,
  order: (name) => `by ${name}’s order`,
};

/**
 * Returns what holds an event: `held by ledger’s breaker`, or `held by ledger’s pause, and 1 more`.
 *
 * @param count the number of held deliveries
 */
export function heldText({ name, waits_for }: Held, count: number): string {
  return `held ${HOLDERS[waits_for](name)}${count > 1 ? `, and ${count - 1} more` : ''}`;
}
