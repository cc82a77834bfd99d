import { useRef } from 'preact/hooks';
import type { Loaded } from './use-loaded.ts';

/**
 * Returns the last value while another page or filter loads, and whether that value is stale. A
 * failed load clears the value. Otherwise the error would appear above the rows of another filter.
 */
export function useKept<T>({ value, error }: Loaded<T>): { value: T | null; isStale: boolean } {
  const last = useRef<T | null>(null);
  if (value !== null || error !== null) last.current = value;
  return { value: value ?? last.current, isStale: value === null && last.current !== null };
}
