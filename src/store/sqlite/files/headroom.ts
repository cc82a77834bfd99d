import { HookrelayError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/runtime.ts';
import type { DiskSpace } from './disk-space.ts';

/**
 * How old a look at the disk may be, ms. A fast disk takes hundreds of MiB in a
 * second: between two looks must be written less than half of the reserve, or
 * what is deleted after that doesn't count as room any more.
 */
const LOOK_EVERY_MS = 100;

/** What the database does with the disk. */
export interface DatabaseRoom {
  /** Free pages within its file, which deletions left for new rows. */
  freePagesBytes: number;
  /** By how much the next checkpoint makes its file grow: so much of the disk is spoken for. */
  growthBytes: number;
}

/**
 * Stops capture before the disk is full. On a full one even DELETE fails, and
 * retention could never make room: so below the reserve new events are refused
 * while everything else goes on.
 *
 * What retention deletes stays in the file as free pages, and the disk as full
 * as it was: those pages count as room, while half of the reserve is free.
 */
export class Headroom {
  readonly #clock: Clock;
  readonly #diskSpace: () => Promise<DiskSpace | null>;
  readonly #databaseRoom: () => DatabaseRoom;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #short = false;
  #looking = false;

  constructor(
    clock: Clock,
    diskSpace: () => Promise<DiskSpace | null>,
    databaseRoom: () => DatabaseRoom,
  ) {
    this.#clock = clock;
    this.#diskSpace = diskSpace;
    this.#databaseRoom = databaseRoom;
  }

  /** Throws `storage_full` when there is too little room for new events. */
  check(): void {
    const now = this.#clock.monotonic();
    if (!this.#looking && now - this.#lookedAt >= LOOK_EVERY_MS) {
      this.#lookedAt = now;
      void this.look();
    }
    if (this.#short) {
      throw new HookrelayError('storage_full', 'the disk is almost full; nothing was stored', {
        hint: 'free disk space or set --retention; capture goes on by itself',
        retryAfterS: 30,
      });
    }
  }

  /** Never rejects: what can't be told leaves the verdict as it was. */
  async look(): Promise<void> {
    this.#looking = true;
    try {
      const space = await this.#diskSpace();
      // One that can't say how full it is fails the write itself when it is.
      this.#short = space !== null && this.#isShort(space);
    } catch {
      // A disk that fails so is told of by the next write.
    } finally {
      this.#looking = false;
    }
  }

  #isShort({ freeBytes, reserveBytes }: DiskSpace): boolean {
    const { freePagesBytes, growthBytes } = this.#databaseRoom();
    const left = freeBytes - growthBytes;
    return left < reserveBytes && (left < reserveBytes / 2 || left + freePagesBytes < reserveBytes);
  }
}
