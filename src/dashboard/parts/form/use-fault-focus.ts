import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';

/** The ref of a form, whose first wrong field takes the focus after a refusal. */
export function useFaultFocus(error: ApiError | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
