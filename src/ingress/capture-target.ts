export const CAPTURE_PREFIX = '/in/';

export function isCaptureTarget(target: string): boolean {
  return target.startsWith(CAPTURE_PREFIX);
}
