import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock, Logger } from '../core/runtime/runtime.ts';
import type { ClientLimits } from './client-limits.ts';
import { endAfterCaptures } from './end-after-captures.ts';
import { FastPath } from './fast-path/fast-path.ts';
import type { FastPathCounts } from './fast-path/hand-over.ts';
import type { FrontDoor } from './front-door.ts';
import type { OpenConnection } from './open-connection.ts';
import type { OpenConnections } from './open-connections.ts';
import { noteOwed } from './owed-answers.ts';
import { takesRequests } from './poisoned.ts';

export interface ReceptionOptions {
  frontDoor: FrontDoor;
  /** Null if Node reads every request. */
  fastPath: {
    /** The largest body that the fast path takes, bytes. */
    maxBodyBytes: number;
    counts: FastPathCounts;
  } | null;
  limits: ClientLimits;
  clock: Clock;
  log: Logger;
}

/** Admits or refuses each connection, and reads it on the fast path until Node must read it. */
export class Reception {
  readonly #open: OpenConnections;
  readonly #options: ReceptionOptions;
  readonly #fastPath: FastPath | null;
  readonly #bySocket = new WeakMap<Socket, OpenConnection>();
  #isLeaving = false;

  constructor(open: OpenConnections, options: ReceptionOptions) {
    const { fastPath, limits, clock, frontDoor } = options;
    this.#open = open;
    this.#options = options;
    this.#fastPath =
      fastPath &&
      new FastPath({ ...fastPath, limits, now: () => clock.now(), answer: frontDoor.takeFast });
  }

  /** Listens for the requests that Node reads. */
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

  /** Closes each connection after its next answer. */
  answerLast(): void {
    this.#isLeaving = true;
    for (const { fastPath } of this.#open) fastPath?.takeLast();
  }

  /**
   * Replaces Node's connection listeners, and calls them when Node must read a connection. If Node
   * doesn't have exactly one such listener, the fast path is off.
   */
  takeOver(server: Server, isTls: boolean): void {
    const event = isTls ? 'secureConnection' : 'connection';
    const node = takeListeners(server, event);
    const isFast = this.#fastPath !== null && node.count === 1;
    if (this.#fastPath && !isFast) {
      this.#options.log.warn('the fast path is off: a capture takes three times the CPU', {
        reason: `Node has ${node.count} listeners for ${event} where one is expected`,
      });
    }
    const read = (connection: OpenConnection): void => {
      const { socket } = connection;
      this.#bySocket.set(socket, connection);
      const readByNode = () => endAfterCaptures(socket, () => node.call(socket));
      if (isFast) this.#readFast(connection, readByNode);
      else readByNode();
    };
    if (isTls) this.#takeTls(server, read);
    else {
      server.on('connection', (socket: Socket) => {
        const connection = this.#open.admit(socket);
        if (connection) read(connection);
      });
    }
  }

  #takeTls(server: Server, read: (connection: OpenConnection) => void): void {
    const node = takeListeners(server, 'connection');
    const inHandshake = new Map<string, OpenConnection>();
    server.on('connection', (socket: Socket) => {
      const connection = this.#open.admit(socket);
      if (!connection) return;
      const peer = peerOf(socket);
      inHandshake.set(peer, connection);
      socket.once('close', () => inHandshake.delete(peer));
      node.call(socket);
    });
    server.on('secureConnection', (socket: Socket) => {
      const connection = inHandshake.get(peerOf(socket));
      if (!connection) {
        // The connection closed during the handshake.
        socket.destroy();
        return;
      }
      // A sender may end its side before it gets the answer, as on plain connections. During the
      // handshake, such an end closes the connection.
      socket.allowHalfOpen = true;
      connection.socket = socket;
      read(connection);
    });
  }

  #readFast(connection: OpenConnection, readByNode: () => void): void {
    const fast = this.#fastPath?.read(connection.socket, {
      onRequest: () => connection.beginRequest(),
      onAnswered: () => connection.endRequest(),
      handOver() {
        connection.fastPath = null;
        readByNode();
      },
    });
    connection.fastPath = fast ?? null;
    if (this.#isLeaving) fast?.takeLast();
  }
}

/** Removes Node's listeners of `event` from the server. `call` passes them a connection. */
function takeListeners(server: Server, event: 'connection' | 'secureConnection') {
  const listeners = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  const call = (socket: Socket): void => {
    for (const listener of listeners) listener.call(server, socket);
  };
  return { count: listeners.length, call };
}

/**
 * Returns a key that the TCP socket and the TLS socket of one connection share. No other open
 * connection has this key.
 */
function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
