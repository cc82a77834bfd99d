import pg from 'pg';
import { expect, test } from 'vitest';
import { openNodes } from './nodes.ts';

test.each([
  ...['endpoints', 'events', 'event_contents', 'event_counts'],
  ...['open_deliveries', 'deliveries', 'attempts'],
])('while %s is locked, a node reports at once that it is not ready', async (table) => {
  const { database, stores } = await openNodes(1);
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    const asked = performance.now();
    await expect(stores[0]?.checkWritable()).rejects.toMatchObject({ code: 'overloaded' });
    // A capture is refused only after this time.
    expect(performance.now() - asked).toBeLessThan(9000);
    await holder.query('ROLLBACK');
    await stores[0]?.checkWritable();
  } finally {
    await holder.end();
  }
});
