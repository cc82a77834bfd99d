import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationsDir } from '../../../core/runtime/resource.ts';

/** States which nodes go on working while the migration runs and after it. */
const BESIDE = /^-- Works beside schema (\d+)\.$/m;
/** Builds or drops an index beside writes, which no transaction can. */
const CONCURRENT = /\bINDEX CONCURRENTLY\b/;
const STATEMENT_END = /;\s*$/m;

export interface Migration {
  number: number;
  /** Nodes that know at least this schema work with the schema that it makes. */
  least: number;
  /** One text for one transaction, or statements that each run outside of one. */
  sql: string | string[];
}

const directory = (): string => join(migrationsDir(), 'postgres');

/** The migrations of this program, in order. */
export function migrations(from = directory()): Migration[] {
  return filesIn(from).map((name) => {
    const number = numberOf(name);
    const text = readFileSync(join(from, name), 'utf8');
    const least = Number(BESIDE.exec(text)?.[1] ?? number);
    return { number, least, sql: CONCURRENT.test(text) ? statementsOf(text) : text };
  });
}

/** The schema that this program works with. */
export function newestSchema(): number {
  return Math.max(0, ...filesIn(directory()).map(numberOf));
}

function statementsOf(text: string): string[] {
  const withoutComments = text.replace(/^--.*$/gm, '');
  return withoutComments.split(STATEMENT_END).filter((statement) => statement.trim() !== '');
}

const numberOf = (name: string): number => Number(name.slice(0, 4));

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort();
}
