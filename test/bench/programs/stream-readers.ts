import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { answerWith } from '../harness/program.ts';

/**
 * Readers of a live stream. They look only for the first line of each event's frame
 * in the bytes of their connection: a hundred parsers would measure themselves.
 */

export interface StreamReadersOperations {
  /** Resolves when every reader has the stream's first frame. */
  open(request: StreamRequest): Promise<void>;
  /** Events that each reader has received. A reader whose connection has ended was dropped. */
  counts(): { events: number[]; dropped: number };
  close(): void;
}

export interface StreamRequest {
  origin: string;
  token: string;
  path: string;
  readers: number;
}

const EVENT = Buffer.from('event: event\n');
const READY = 'event: ready\n';

interface Reader {
  socket: Socket;
  events: number;
}

let readers: Reader[] = [];

async function open({ origin, token, path, readers: count }: StreamRequest): Promise<void> {
  readers = await Promise.all(
    Array.from({ length: count }, async () => {
      const { hostname, port } = new URL(origin);
      const socket = connect(Number(port), hostname);
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
      let head = '';
      while (!head.includes(READY)) {
        const [chunk] = (await once(socket, 'data')) as [Buffer];
        head += chunk.toString('latin1');
        if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`the stream answered: ${head}`);
      }
      return counting(socket);
    }),
  );
}

/** The end of a chunk may hold the beginning of the line, so it is searched again. */
function counting(socket: Socket): Reader {
  const reader = { socket, events: 0 };
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = bytes.indexOf(EVENT);
    for (; at !== -1; at = bytes.indexOf(EVENT, at + EVENT.length)) reader.events++;
    rest = bytes.subarray(Math.max(0, bytes.length - EVENT.length + 1));
  });
  socket.on('error', () => socket.destroy());
  return reader;
}

function counts() {
  return {
    events: readers.map(({ events }) => events),
    dropped: readers.filter(({ socket }) => socket.destroyed || socket.readableEnded).length,
  };
}

function close(): void {
  for (const { socket } of readers) socket.destroy();
  readers = [];
}

answerWith({ open, counts, close } satisfies StreamReadersOperations);
