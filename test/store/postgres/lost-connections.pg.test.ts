import { expect, test } from 'vitest';
import { DatabaseProxy } from '../../fixtures/database-proxy.ts';
import { tempDatabase } from '../../fixtures/postgres-database.ts';
import { until } from '../../fixtures/until.ts';
import { openNode, strictLog } from './temp-store.ts';

/** Of each new connection's check, and of nothing else. */
const CHECK = "current_setting('fsync')";

test('a connection that is lost amid its check fails what waits for it, and nothing else', async () => {
  const database = await tempDatabase();
  const proxy = await DatabaseProxy.open(database.url);
  const log = { ...strictLog, info() {}, warn() {} };
  const node = await openNode(proxy.url, log);
  try {
    proxy.cutAt = CHECK;
    proxy.cutAll();
    // A first try may still get a connection that is being cut.
    await until('a check was cut', async () => {
      await expect(node.checkWritable()).rejects.toMatchObject({ code: 'storage_unavailable' });
      return proxy.cuts > 0;
    });
    proxy.cutAt = null;
    await until('it works again', () =>
      node.checkWritable().then(
        () => true,
        () => false,
      ),
    );
  } finally {
    await node.close();
  }
});

test('a connection that is cut as the node begins to listen is made again', async () => {
  const database = await tempDatabase();
  const proxy = await DatabaseProxy.open(database.url);
  const heard: string[] = [];
  const node = await openNode(proxy.url, { ...strictLog, info() {}, warn() {} });
  try {
    node.cluster.subscribe(({ kind }) => heard.push(kind));
    proxy.cutAt = 'LISTEN hookrelay';
    proxy.cutAll();
    await until('LISTEN was cut twice', () => proxy.cuts >= 2);
    proxy.cutAt = null;
    await until('it hears again', () => heard.includes('resumed'));
  } finally {
    await node.close();
  }
});
