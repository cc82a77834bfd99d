import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { matches, presentSecret, secretFileOf } from '../data/secret-files.ts';
import { type DoctorFinding, fail, ok, warn } from './doctor-finding.ts';

/**
 * Checks whether a server would use the secret that the data needs.
 *
 * @param checkValue null if no server has recorded it yet, undefined if it can't be read
 */
export function secretFinding(
  { dataDir, database, secretKey }: Config,
  checkValue: string | null | undefined,
): DoctorFinding {
  const check = 'secret';
  if (database !== null && secretKey === null) {
    return fail(
      check,
      'HOOKRELAY_SECRET_KEY is not set: nodes on PostgreSQL share one secret',
      'set it as every node has it; for new data: openssl rand -base64 32',
    );
  }
  const file = secretFileOf(dataDir);
  const source = secretKey === null ? file : 'HOOKRELAY_SECRET_KEY';
  let secret: Uint8Array | null;
  try {
    secret = presentSecret(dataDir, secretKey);
  } catch (error) {
    return fail(check, (error as Error).message, `restore ${file} from a backup`);
  }
  if (!secret) {
    if (checkValue === null) return ok(check, 'none yet; a server creates it');
    return fail(
      check,
      `there is no ${file}: a server would refuse to start`,
      'restore it from a backup, or set HOOKRELAY_SECRET_KEY as the server has it; if it is lost: hookrelay rekey --drop-sealed',
    );
  }
  if (checkValue === undefined) return warn(check, `${source}; nothing to compare it with`);
  if (!matches(secret, checkValue)) {
    return fail(
      check,
      `${source} is not the secret of the data`,
      secretKey !== null && existsSync(file)
        ? 'unset HOOKRELAY_SECRET_KEY to use secret.key'
        : 'restore the former secret from a backup, or set HOOKRELAY_SECRET_KEY to it; if it is lost: hookrelay rekey --drop-sealed',
    );
  }
  return ok(check, `${source} matches the data`);
}
