import { useRef } from 'preact/hooks';
import type { Loaded } from './use-loaded.ts';

/**
 * What to show while another page or filter loads: the last value, and whether it is about to
 * be replaced. A failed load keeps nothing, so that an error doesn't stand above the rows of
 * another filter.
 */
export function useKept<T>({ value, error }: Loaded<T>): { value: T | null; isStale: boolean } {
  const last = useRef<T | null>(null);
  if (value !== null || error !== null) last.current = value;
  return { value: value ?? last.current, isStale: value === null && last.current !== null };
}
