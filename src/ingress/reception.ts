import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../core/runtime.ts';
import type { ClientLimits } from './client-limits.ts';
import { endAfterCaptures } from './end-after-captures.ts';
import { FastConnection } from './fast-path/fast-connection.ts';
import type { FrontDoor } from './front-door.ts';
import type { OpenConnection } from './open-connection.ts';
import type { OpenConnections } from './open-connections.ts';
import { noteOwed } from './owed-answers.ts';
import { takesRequests } from './poisoned.ts';

export interface ReceptionOptions {
  frontDoor: FrontDoor;
  /** The longest body that the fast path takes, bytes. */
  fastPathMaxBytes: number;
  limits: ClientLimits;
  clock: Clock;
}

type TakeSocket = (socket: Socket) => void;

/**
 * Stands between a server and its connections: counts each, puts
 * `FastConnection` ahead of Node's own reading of it, and notes which
 * answers it owes.
 */
export class Reception {
  readonly #open: OpenConnections;
  readonly #options: ReceptionOptions;
  readonly #bySocket = new WeakMap<Socket, OpenConnection>();
  #isLeaving = false;

  constructor(open: OpenConnections, options: ReceptionOptions) {
    this.#open = open;
    this.#options = options;
  }

  /** For the requests that Node reads. */
  readonly listener: RequestListener = (req, res) => {
    const { socket } = req;
    if (!takesRequests(socket)) return;
    if (this.#isLeaving) res.shouldKeepAlive = false;
    noteOwed(socket, res);
    const connection = this.#bySocket.get(socket);
    connection?.beginRequest();
    res.once('close', () => connection?.endRequest());
    this.#options.frontDoor.listener(req, res);
  };

  /** From now on each answer is the last of its connection. */
  answerLast(): void {
    this.#isLeaving = true;
    for (const { fastPath } of this.#open) fastPath?.takeLast();
  }

  /** Takes the place of Node's own listeners. */
  takeOver(server: Server, isTls: boolean): void {
    const readByNode = takeListener(server, isTls ? 'secureConnection' : 'connection');
    const read = (connection: OpenConnection) => this.#read(connection, server, readByNode);
    if (isTls) this.#takeTls(server, read);
    else {
      server.on('connection', (socket: Socket) => {
        const connection = this.#open.admit(socket);
        if (connection) read(connection);
      });
    }
  }

  #takeTls(server: Server, read: (connection: OpenConnection) => void): void {
    const secure = takeListener(server, 'connection');
    const securing = new Map<string, OpenConnection>();
    server.on('connection', (socket: Socket) => {
      const connection = this.#open.admit(socket);
      if (!connection) return;
      const peer = peerOf(socket);
      securing.set(peer, connection);
      socket.once('close', () => securing.delete(peer));
      secure.call(server, socket);
    });
    server.on('secureConnection', (socket: Socket) => {
      const connection = securing.get(peerOf(socket));
      if (!connection) {
        // It closed during the handshake.
        socket.destroy();
        return;
      }
      // A sender may end its side first, as on plain connections. In a handshake that closes it.
      socket.allowHalfOpen = true;
      connection.socket = socket;
      read(connection);
    });
  }

  #read(connection: OpenConnection, server: Server, readByNode: TakeSocket): void {
    const { socket } = connection;
    const { limits, fastPathMaxBytes: maxOrdinaryBytes, clock, frontDoor } = this.#options;
    this.#bySocket.set(socket, connection);
    connection.fastPath = new FastConnection(socket, {
      limits,
      maxBodyBytes: maxOrdinaryBytes,
      now: () => clock.now(),
      answer: frontDoor.takeFast,
      onRequest: () => connection.beginRequest(),
      onAnswered: () => connection.endRequest(),
      handOver() {
        connection.fastPath = null;
        endAfterCaptures(socket, () => readByNode.call(server, socket));
      },
    });
    if (this.#isLeaving) connection.fastPath.takeLast();
  }
}

/** Takes off the one listener of `event` that Node has there. */
function takeListener(server: Server, event: string): TakeSocket {
  const [listener, ...others] = server.listeners(event) as TakeSocket[];
  if (!listener || others.length > 0) throw new Error(`who takes a ${event} is not as it was`);
  server.off(event, listener);
  return listener;
}

/** The same for the two sockets of a TLS connection, and for no other that is open. */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
