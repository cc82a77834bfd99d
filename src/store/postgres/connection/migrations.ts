import { readFileSync } from 'node:fs';
import { migrationFiles, migrationsOf, newestOf } from '../../shared/migration-files.ts';

/** A line of a migration. Nodes of that schema work during the migration and after it. */
const BESIDE = /^-- Works beside schema (\d+)\.$/m;
/**
 * Matches statements that build or drop an index without blocking writes. They can't run in a
 * transaction.
 */
const CONCURRENT = /\bINDEX CONCURRENTLY\b/;
const STATEMENT_END = /;\s*$/m;

export interface Migration {
  number: number;
  /** The oldest schema whose nodes work with the new schema. */
  least: number;
  /** A text that runs in one transaction, or statements that run outside of a transaction. */
  sql: string | string[];
}

export function migrations(folder = migrationsOf('postgres')): Migration[] {
  return migrationFiles(folder).map(({ number, file }) => {
    const text = readFileSync(file, 'utf8');
    const least = Number(BESIDE.exec(text)?.[1] ?? number);
    return { number, least, sql: CONCURRENT.test(text) ? statementsOf(text) : text };
  });
}

/** Returns the number of the schema that this program works with. */
export function newestSchema(): number {
  return newestOf(migrationFiles(migrationsOf('postgres')));
}

function statementsOf(text: string): string[] {
  const withoutComments = text.replace(/^--.*$/gm, '');
  return withoutComments.split(STATEMENT_END).filter((statement) => statement.trim() !== '');
}
