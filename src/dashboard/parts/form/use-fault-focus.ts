import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ApiError } from '../../model/api-error.ts';

/** Returns a form's ref. After a refusal, the form's first wrong field takes the focus. */
export function useFaultFocus(error: ApiError | null): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
