import { once } from 'node:events';
import { expect, test } from 'vitest';
import { heldServer } from '../fixtures/held-server.ts';
import { failOnLeaks } from '../fixtures/leaks.ts';
import { connect, type RawConnection } from '../fixtures/raw-connection.ts';
import { connectTls, localCertificate } from '../fixtures/tls-connection.ts';

/*
 * A request is refused before its body has arrived. The server ends its side after
 * the answer and reads on for a while: a sender that waits for the end sees it, and
 * one that still sends isn't reset before it has read the answer.
 */

failOnLeaks();

const overTcp = async () => connect((await heldServer()).port);
const overTls = async () => {
  const certificate = localCertificate();
  const { port } = await heldServer({ tls: certificate.tls });
  return (await connectTls(port, certificate)).connection;
};
/** Refused by the front door. Node's parser reads on in the first, and gives up in the second. */
const REFUSED: [string, string, number][] = [
  ['a body that is on its way', 'transfer-encoding: chunked\r\nhost: y', 400],
  ['a framing that nobody can read', 'transfer-encoding: gzip', 501],
];

test.each<[string, () => Promise<RawConnection>]>([
  ['TCP', overTcp],
  ['TLS', overTls],
])('over %s the sender sees the end, and may still send', async (_, open) => {
  for (const [name, headers, status] of REFUSED) {
    const connection = await open();
    const { socket } = connection;
    // The sender doesn't end its side when the server does.
    socket.allowHalfOpen = true;
    const errors: unknown[] = [];
    socket.on('error', (error) => errors.push(error));
    connection.send(`POST /in/token HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n5\r\nhello\r\n`);
    await once(socket, 'end');
    expect([name, connection.statuses]).toEqual([name, [status]]);
    connection.send('5\r\nhello\r\n');
    await new Promise((sent) => socket.write('0\r\n\r\n', sent));
    socket.end();
    await connection.closedByServer();
    expect([name, errors]).toEqual([name, []]);
  }
});
