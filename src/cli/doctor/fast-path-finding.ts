import type { Config } from '../../config/config.ts';
import { type DoctorFinding, warn } from './doctor-finding.ts';

export function fastPathFinding({ fastPath }: Config): DoctorFinding[] {
  if (fastPath) return [];
  return [
    warn(
      'fast path',
      'off: Node reads every request, and a capture costs three times the CPU',
      'remove --no-fast-path (HOOKRELAY_NO_FAST_PATH) unless the fast path has a fault',
    ),
  ];
}
