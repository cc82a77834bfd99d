/** Formats figures for the table. */

export const count = (value: number): string => Math.round(value).toLocaleString('en-US');
export const perSecond = (value: number): string => `${count(value)}/s`;

/** Two or three significant digits, never an exponent above a millionth. */
export function short(value: number): string {
  if (value >= 100) return count(value);
  if (value >= 10) return value.toFixed(1);
  return value >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2);
}

export const ms = (value: number): string => `${short(value)} ms`;
