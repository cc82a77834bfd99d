import type { TestDatabase } from '../../fixtures/postgres-database.ts';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
  'Actual Rows'?: number;
}

/** Every node of the plan, by its type and what it reads, with the most rows read of a table. */
export async function planIn(
  database: TestDatabase,
  sql: string,
  values: unknown[],
  counted = 'open_deliveries',
): Promise<{ reads: string[]; rows: number }> {
  // With literals EXPLAIN shows the plan for these values.
  const literal = (value: unknown) =>
    Array.isArray(value)
      ? `'{${value.join(',')}}'`
      : Buffer.isBuffer(value)
        ? `'\\x${value.toString('hex')}'`
        : typeof value === 'number' || value === null
          ? String(value)
          : `'${String(value).replaceAll("'", "''")}'`;
  const text = sql.replace(/\$(\d+)/g, (_, n) => literal(values[Number(n) - 1]));
  const rows = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON, ANALYZE, BUFFERS OFF, COSTS OFF, TIMING OFF) ${text}`,
  );
  const reads: string[] = [];
  let most = 0;
  const walk = (plan: Plan) => {
    reads.push(`${plan['Node Type']} ${plan['Index Name'] ?? plan['Relation Name'] ?? ''}`.trim());
    if (/Scan/.test(plan['Node Type']) && plan['Relation Name'] === counted) {
      most = Math.max(most, plan['Actual Rows'] ?? 0);
    }
    for (const child of plan.Plans ?? []) walk(child);
  };
  walk((rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan);
  return { reads, rows: most };
}
