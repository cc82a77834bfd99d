export const CAPTURE_PREFIX = '/in/';

/** Returns true if a request target belongs to a capture URL. */
export function isCaptureTarget(target: string): boolean {
  return target.startsWith(CAPTURE_PREFIX);
}
