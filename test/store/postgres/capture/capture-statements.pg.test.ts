import { expect, onTestFinished, test } from 'vitest';
import type { Endpoint } from '../../../../src/core/model.ts';
import type { Source } from '../../../../src/core/proof/source.ts';
import { appendCaptures } from '../../../../src/store/postgres/capture/captures.ts';
import {
  Database,
  type PgRow,
  type Sql,
} from '../../../../src/store/postgres/connection/database.ts';
import { LaneMarks } from '../../../../src/store/postgres/queue/lane-marks.ts';
import { Rounds } from '../../../../src/store/postgres/queue/rounds.ts';
import { verdictOf } from '../../../fixtures/verdict.ts';
import type { RequestPatch } from '../../conformance/world.ts';
import { openNodes } from '../nodes.ts';

/** A round trip costs a capture more than anything else: each statement has a reason. */

const PLAIN = [
  'numbers event_seqs true',
  'endpoints by token',
  'destinations',
  'append',
  'counts',
] as const;
const READS = PLAIN.slice(0, 3);
const WRITES = PLAIN.slice(3);
const SOURCE: Source = {
  ...{ provider: 'github', enforce: true, url: null, in: null, scheme: null },
  sealedSecrets: Buffer.of(1),
};

test('only what a capture needs costs it statements', async () => {
  const { database, world } = await openNodes(1);
  const db = new Database({ url: database.url, applicationName: 'statements' });
  onTestFinished(() => db.close());
  const rounds = new Rounds(new LaneMarks());
  const statements = async (endpoint: Endpoint, patches: RequestPatch[]): Promise<string[]> => {
    const names: string[] = [];
    const noting = (sql: Sql): Sql => ({
      rows: <T extends PgRow>(text: string, values?: unknown[], name?: string) => {
        names.push(name ?? text);
        return sql.rows<T>(text, values, name);
      },
      run: (text, values, name) => {
        names.push(name ?? text);
        return sql.run(text, values, name);
      },
    });
    const requests = patches.map((patch) => world.request(endpoint, patch));
    await db.transaction((sql) => appendCaptures(noting(sql), rounds, requests, world.terms()));
    return names;
  };

  const plain = await world.endpoint();
  await world.destination(plain);
  expect(await statements(plain, [{}, {}])).toEqual(PLAIN);

  const endpoint = await world.endpoint({
    source: SOURCE,
    dedupe: { by: 'provider', since: 'since' },
  });
  await world.destination(endpoint);
  const version = (await world.judgeBy(endpoint))?.version ?? 0;
  const verified = { state: 'verified', provider: 'github', secret: 1, reason: null } as const;
  const failed = { ...verified, state: 'failed', secret: null } as const;
  const keyed = (key: string) => ({
    verdict: verdictOf({ version, verification: verified, once: { key, body: 'body' } }),
  });
  const refused = (keep: boolean) => ({
    verdict: verdictOf({ version, verification: failed, refused: { keep } }),
  });
  expect(await statements(endpoint, [{ verdict: verdictOf({ version }) }])).toEqual(PLAIN);
  const claim = [...READS, 'claim keys', ...WRITES];
  expect(await statements(endpoint, [keyed('a'), keyed('b'), keyed('a')])).toEqual(claim);
  const duplicate = [...READS, 'claim keys', 'first events', ...WRITES];
  expect(await statements(endpoint, [keyed('a')])).toEqual(duplicate);
  expect(await statements(endpoint, [refused(false)])).toEqual(READS);
  const keep = ['lock rejected', 'times of rejected', 'append rejected', 'excess of rejected'];
  expect(await statements(endpoint, [refused(true), refused(true)])).toEqual([...READS, ...keep]);
});
