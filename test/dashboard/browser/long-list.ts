import { BorrowedBody } from '../../../src/core/http/borrowed-body.ts';
import type { CapturedRequest } from '../../../src/core/http/captured-request.ts';
import { newId } from '../../../src/core/ids.ts';
import type { Store } from '../../../src/store/contract/store.ts';

const BATCH = 2000;
/** Time between two events. */
const STEP_MS = 100;

/** Stores events with the paths /n/0, /n/1 and so on; the last is the newest. */
export async function fillList(store: Store, publicToken: string, count: number): Promise<void> {
  const start = Date.now() - count * STEP_MS;
  for (let done = 0; done < count; done += BATCH) {
    const requests = Array.from({ length: Math.min(BATCH, count - done) }, (_, i) => {
      const n = done + i;
      const receivedAt = start + n * STEP_MS;
      return {
        id: newId('evt', receivedAt),
        publicToken,
        method: ['POST', 'PUT', 'DELETE'][n % 3] as string,
        path: `/n/${n}`,
        query: '',
        rawHeaders: ['Content-Type', 'application/json'],
        body: new BorrowedBody(Buffer.from(`{"n": ${n}}`)),
        contentType: 'application/json',
        sourceIp: '192.0.2.1',
        receivedAt,
        provider: null,
        eventType: null,
      } satisfies CapturedRequest;
    });
    await store.events.appendBatch(requests, { leaseUntil: 0, limit: 0, skip: new Set() });
  }
}

/**
 * The number of each row in view, from the top; -1 for a row that isn't filled. Runs in the
 * page, on the list.
 */
export function numbersInView(list: Element): number[] {
  const { top, bottom } = list.getBoundingClientRect();
  return [...list.querySelectorAll('.row')]
    .filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    })
    .map((row) => {
      const what = row.querySelector('.what')?.textContent ?? '';
      return Number(/\/n\/(\d+)/.exec(what)?.[1] ?? -1);
    });
}
