import type { Database } from 'better-sqlite3';
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

export function readSealed(db: Database): SealedData {
  return sealedDataOf({
    destinations: db.prepare<[], SealedDestinationRow>(SEALED_DESTINATIONS).all(),
    sources: db.prepare<[], SealedSourceRow>(SEALED_SOURCES).all(),
    channels: db.prepare<[], SealedChannelRow>(SEALED_CHANNELS).all(),
    sessions: db.prepare<[], number>(COUNT_SESSIONS).pluck().get() as number,
  });
}

/** Runs in one transaction, so a killed command can be repeated. */
export function dropSealed(db: Database, keys: NewSeal): void {
  const drop = db.prepare(`
    UPDATE destinations SET sealed_secret = NULL, sealed_previous_secret = NULL,
      previous_secret_until = NULL, sealed_headers = NULL, settings = ?, version = version + 1
    WHERE key = ?`);
  const empty = db.prepare(`
    UPDATE endpoints SET sealed_source_secrets = ?, settings_version = settings_version + 1
    WHERE key = ?`);
  db.transaction(() => {
    for (const row of db.prepare<[], SealedDestinationRow>(SEALED_DESTINATIONS).all()) {
      drop.run(pausedSettings(row), row.key);
    }
    for (const { key, id } of db.prepare<[], SealedSourceRow>(SEALED_SOURCES).all()) {
      empty.run(keys.seal('[]', id), key);
    }
    db.exec('DELETE FROM sessions');
    db.prepare("UPDATE meta SET value = ? WHERE name = 'secret_check'").run(keys.checkValue);
  }).immediate();
}
