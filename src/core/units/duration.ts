const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Milliseconds of a duration such as `500ms`, `5s`, `10m`, `24h` or `30d`. Returns null
 * for any other text, including a number without a unit.
 */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  if (!match) return null;
  const ms = Number(match[1]) * (UNIT_MS[match[2] as string] as number);
  return Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : null;
}

/** The shortest exact spelling of a duration: `5s`, `24h`, `1500ms`. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's']) {
    const size = UNIT_MS[unit] as number;
    if (ms >= size && ms % size === 0 && !(unit === 'd' && ms < 3 * size))
      return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}
