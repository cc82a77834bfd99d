/**
 * Whether a destination took a delivery: by a 2xx, whatever became of the rest
 * of the response. Redirects don't count: they are never followed. Null stands for
 * no response.
 */
export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}
