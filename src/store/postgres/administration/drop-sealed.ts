import type { NewSeal, SealedData } from '../../contract/admin-store.ts';
import {
  COUNT_SESSIONS,
  pausedSettings,
  SEALED_CHANNELS,
  SEALED_DESTINATIONS,
  SEALED_SOURCES,
  type SealedChannelRow,
  type SealedDestinationRow,
  type SealedSourceRow,
  sealedDataOf,
} from '../../shared/administration/sealed-rows.ts';
import type { Database, Sql } from '../connection/database.ts';

export async function readSealed(sql: Pick<Sql, 'rows'>): Promise<SealedData> {
  const [counted] = await sql.rows<{ sessions: number }>(COUNT_SESSIONS);
  return sealedDataOf({
    destinations: await sql.rows<SealedDestinationRow>(SEALED_DESTINATIONS),
    sources: await sql.rows<SealedSourceRow>(SEALED_SOURCES),
    channels: await sql.rows<SealedChannelRow>(SEALED_CHANNELS),
    sessions: counted?.sessions ?? 0,
  });
}

/** Runs in one transaction, so a killed command can be repeated. */
export function dropSealed(db: Database, keys: NewSeal): Promise<void> {
  return db.transaction(async (sql) => {
    for (const row of await sql.rows<SealedDestinationRow>(SEALED_DESTINATIONS)) {
      await sql.run(
        `UPDATE destinations SET sealed_secret = NULL, sealed_previous_secret = NULL,
           previous_secret_until = NULL, sealed_headers = NULL, settings = $1, version = version + 1
         WHERE key = $2`,
        [pausedSettings(row), row.key],
      );
    }
    for (const { key, id } of await sql.rows<SealedSourceRow>(SEALED_SOURCES)) {
      await sql.run(
        `UPDATE endpoints SET sealed_source_secrets = $1, settings_version = settings_version + 1
         WHERE key = $2`,
        [Buffer.from(keys.seal('[]', id)), key],
      );
    }
    await sql.run('DELETE FROM sessions');
    await sql.run("UPDATE meta SET value = $1 WHERE name = 'secret_check'", [keys.checkValue]);
  });
}
