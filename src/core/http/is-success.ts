/**
 * Whether a destination accepted a delivery: by a 2xx, even if the rest of the
 * response fails. Redirects don't count, because they are never followed.
 *
 * @param status null for no response
 */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
