export const CAPTURE_PREFIX = '/in/';

/** Whether a request target is a capture URL's. */
export function isCaptureTarget(target: string): boolean {
  return target.startsWith(CAPTURE_PREFIX);
}
