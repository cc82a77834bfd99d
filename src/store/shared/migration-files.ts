import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsDir } from '../../core/runtime/resource.ts';

export interface MigrationFile {
  number: number;
  file: string;
}

export const migrationsOf = (backend: 'sqlite' | 'postgres'): string =>
  join(migrationsDir(), backend);

/** Returns the numbered files in a folder (`0001_what.sql`), in order. */
export function migrationFiles(folder: string): MigrationFile[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => ({ number: Number(name.slice(0, 4)), file: join(folder, name) }));
}

export function newestOf(files: readonly { number: number }[]): number {
  return files.at(-1)?.number ?? 0;
}
