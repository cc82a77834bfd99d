/**
 * Returns whether a destination accepted a delivery. A 2xx counts even if the rest of the response
 * fails. A redirect doesn't count, because hookrelay never follows redirects.
 *
 * @param status null if there was no response
 */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
