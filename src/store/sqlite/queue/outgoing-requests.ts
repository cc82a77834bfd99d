import type { Database, Statement } from 'better-sqlite3';
import { HookrelayError } from '../../../core/errors.ts';
import { type Flow, readFlow } from '../../../core/flow/flow.ts';
import { holdsBack } from '../../../core/flow/permits.ts';
import type { Destination } from '../../../core/model.ts';
import type { ClaimedDelivery } from '../../contract/claims.ts';
import type { Outgoing, OutgoingRequest } from '../../contract/queue.ts';
import {
  DESTINATION_COLUMNS,
  type DestinationRow,
  destinationOf,
} from '../../shared/destinations/destination-rows.ts';
import {
  type ProofColumns,
  type SourceColumns,
  sourceOf,
  verificationOf,
} from '../../shared/events/stored-proof.ts';
import {
  CONTENT_COLUMNS,
  receivedContent,
  type StoredContentRow,
} from '../events/event-content.ts';
import { isBroken } from '../files/database.ts';

/** The request that a delivery sends; `damaged` if it can't be read. */
export type StoredOutgoingRequest = Outgoing['request'];

/** The bounds for requests that are read together with their claims. */
export interface PrefetchBounds {
  /** The largest size of one body, bytes. */
  bodyBytes: number;
  /** The largest size of all bodies together, bytes. */
  bytes: number;
}

export interface PrefetchedRequest extends OutgoingRequest {
  deliveryId: string;
}

interface RequestRow extends StoredContentRow, ProofColumns {
  method: string;
  path: string;
}

interface SigningRow extends SourceColumns {
  id: string;
  public_token: string;
}

/** Reads the requests that deliveries send, and their destinations. */
export class OutgoingRequests {
  readonly #request: Statement<[number, number], RequestRow>;
  readonly #together: (claims: readonly ClaimedDelivery[]) => (StoredOutgoingRequest | null)[];
  readonly #destination: Statement<[number], DestinationRow>;
  readonly #signing: Statement<[number], SigningRow>;

  constructor(db: Database) {
    this.#request = db.prepare(`
      SELECT ${CONTENT_COLUMNS}, e.method, e.path, e.verification, e.proof
      FROM events e
      JOIN endpoints p ON p.key = e.endpoint_key
      JOIN event_contents c ON c.seq = e.seq
      WHERE e.endpoint_key = ? AND e.seq = ? AND p.deleted_at IS NULL`);
    this.#destination = db.prepare(
      `SELECT ${DESTINATION_COLUMNS} FROM destinations d WHERE d.key = ?`,
    );
    this.#signing = db.prepare(`
      SELECT id, public_token, source, sealed_source_secrets AS sealedSourceSecrets FROM endpoints
      WHERE key = ? AND deleted_at IS NULL`);
    // Runs all reads in one transaction. Otherwise SQLite locks the file for each statement.
    this.#together = db.transaction((claims: readonly ClaimedDelivery[]) =>
      claims.map((claim) => this.#read(claim)),
    );
  }

  /** Returns the requests in the order of the claims; null for an event that is gone. */
  read(claims: readonly ClaimedDelivery[]): (StoredOutgoingRequest | null)[] {
    try {
      return this.#together(claims);
    } catch (error) {
      if (!isBroken(error)) throw error;
      // A broken page fails the whole transaction. Single reads still find the sound rows.
      return claims.map((claim) => this.#read(claim));
    }
  }

  /**
   * Reads requests while the bounds allow, in the order of the claims. Returns none after an error,
   * because `begin` reads them again.
   */
  prefetch(
    claims: readonly ClaimedDelivery[],
    { bodyBytes, bytes }: PrefetchBounds,
  ): PrefetchedRequest[] {
    let left = bytes;
    const wanted = claims.filter(({ size }) => {
      if (size <= bodyBytes) left -= size;
      return size <= bodyBytes && left >= 0;
    });
    let requests: (StoredOutgoingRequest | null)[];
    try {
      requests = this.read(wanted);
    } catch {
      return [];
    }
    return wanted.flatMap(({ id }, i) => {
      const request = requests[i];
      return request && request !== 'damaged' ? [{ ...request, deliveryId: id }] : [];
    });
  }

  /**
   * Adds the present destination to each request. Returns null if the destination is gone or holds
   * the delivery back. Nothing is cached, so a change of a destination takes effect at once.
   */
  addressed(
    claims: readonly ClaimedDelivery[],
    requests: ReadonlyMap<ClaimedDelivery, StoredOutgoingRequest | null>,
    now: number,
  ): (Outgoing | null)[] {
    const destinations = new Map<number, { destination: Destination; flow: Flow } | null>();
    return claims.map((claim) => {
      const request = requests.get(claim);
      if (!request) return null;
      const { key } = claim.destination;
      let found = destinations.get(key);
      if (found === undefined) {
        const row = this.#destination.get(key);
        found = row ? { destination: destinationOf(row), flow: readFlow(row.flow) } : null;
        destinations.set(key, found);
      }
      if (!found || holdsBack(found.destination.settings, found.flow, claim, now)) return null;
      const { destination } = found;
      if (destination.settings.sign_as !== 'provider')
        return { destination, request, signer: null };
      const signer = this.#signer(claim.endpointKey);
      return signer && { destination, request, signer };
    });
  }

  /** Returns null if the endpoint is gone. */
  #signer(endpointKey: number): Outgoing['signer'] {
    const row = this.#signing.get(endpointKey);
    return row
      ? { endpointId: row.id, publicToken: row.public_token, source: sourceOf(row) }
      : null;
  }

  #read({ endpointKey, eventSeq }: ClaimedDelivery): StoredOutgoingRequest | null {
    try {
      const row = this.#request.get(endpointKey, eventSeq);
      if (!row) return null;
      const { method, path } = row;
      return { ...receivedContent(row), method, path, verification: verificationOf(row) };
    } catch (error) {
      if (isDamage(error)) return 'damaged';
      throw error;
    }
  }
}

/** Whether a page is broken, a checksum doesn't match, or headers aren't JSON. */
function isDamage(error: unknown): boolean {
  const isBody = error instanceof HookrelayError && error.code === 'database_unusable';
  return isBody || isBroken(error) || error instanceof SyntaxError;
}
