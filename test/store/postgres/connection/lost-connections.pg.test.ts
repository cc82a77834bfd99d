import { expect, test } from 'vitest';
import { tempMigratedDatabase } from '../../../fixtures/postgres-database.ts';
import { TcpProxy } from '../../../fixtures/tcp-proxy.ts';
import { until } from '../../../fixtures/until.ts';
import { openNode, strictLog } from '../temp-store.ts';

/** Text that only the check of a new connection sends. */
const CHECK = "current_setting('fsync')";

test('a connection lost during its check fails only the operations that wait for it', async () => {
  const database = await tempMigratedDatabase();
  const proxy = await TcpProxy.open(database.url);
  const log = { ...strictLog, info() {}, warn() {} };
  const node = await openNode(proxy.url, log);
  try {
    proxy.cutAt = CHECK;
    proxy.cutAll();
    // The first try may still get a connection that is being cut.
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

test('a connection cut at LISTEN is opened again', async () => {
  const database = await tempMigratedDatabase();
  const proxy = await TcpProxy.open(database.url);
  const heard: string[] = [];
  const node = await openNode(proxy.url, { ...strictLog, info() {}, warn() {} });
  try {
    node.cluster.subscribe(({ kind }) => heard.push(kind));
    proxy.cutAt = 'LISTEN hookrelay';
    proxy.cutAll();
    await until('LISTEN was cut twice', () => proxy.cuts >= 2);
    proxy.cutAt = null;
    await until('it gets signals again', () => heard.includes('resumed'));
  } finally {
    await node.close();
  }
});
