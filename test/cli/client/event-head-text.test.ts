import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detailText } from '../../../src/api/events/detail-view.ts';
import { eventHeadText } from '../../../src/cli/client/event-head-text.ts';
import type { EventSummary } from '../../../src/core/model.ts';
import { NOT_CHECKED } from '../../../src/core/proof/verification.ts';

/* Every text in an event but its ids is the sender's choice, or a destination's owner's. */

const HOSTILE = [
  ...['"', '\\', ',', ':', '[', ']', '{', '}', 'body', 'body_encoding', 'json', 'é😀'],
  ...[',"body":', '],"body_encoding":"json","body":', '\\],"body_encoding":"json","body":null}'],
];
const text = fc.array(fc.constantFrom(...HOSTILE), { maxLength: 6 }).map((parts) => parts.join(''));
const name = fc.oneof(fc.constantFrom('Body', 'body', 'BODY', 'Body_Encoding', 'Deliveries'), text);
const content = fc.record({
  query: text,
  rawHeaders: fc.array(fc.tuple(name, text), { maxLength: 4 }).map((pairs) => pairs.flat()),
  body: fc
    .oneof(
      text,
      text.map((value) => JSON.stringify({ body: value })),
    )
    .map(Buffer.from),
});
const summary = fc.record({
  ...{ path: text, contentType: text, provider: text, eventType: text, sourceIp: text },
});
const deliveries = fc.array(text, { maxLength: 2 });

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('an event’s head is everything except its body', async () => {
  await fc.assert(
    fc.asyncProperty(summary, content, deliveries, fc.nat(60), async (event, ...rest) => {
      const [content, urls, size] = rest;
      const answer = detailText({
        kind: 'event',
        event: {
          ...{ id: 'evt_1', status: 'failed', method: 'POST', receivedAt: 0 },
          ...{ verification: NOT_CHECKED, ...event },
        } as EventSummary,
        content,
        deliveries: urls.map((destinationUrl) => ({
          ...{ id: 'dlv_1', destinationId: 'dst_1', destinationUrl, trigger: 'capture' as const },
          ...{
            state: 'pending' as const,
            attempts: 0,
            nextAttemptAt: null,
            waitsFor: null,
            unjudged: null,
          },
        })),
        source: null,
      });
      const { body: _, ...head } = JSON.parse(answer.toString('utf8'));
      const found = await eventHeadText(inPieces(answer, size + 1), answer.length);
      expect(JSON.parse(found)).toEqual(head);
    }),
    { numRuns: 500 },
  );
});

test('of a long body only the beginning is read', async () => {
  const head = Buffer.from('{"deliveries":[],"body_encoding":"text","body":"');
  let given = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    yield head;
    for (;;) yield Buffer.alloc(1000, `x${given++}`);
  }
  const found = await eventHeadText(endless(), Number.POSITIVE_INFINITY);
  expect(found).toBe('{"deliveries":[],"body_encoding":"text"}');
  expect(given).toBe(0);
});

test('a value that is no event is returned unchanged', async () => {
  const page = Buffer.from('<h1>Wartung</h1>');
  expect(await eventHeadText(inPieces(page, 5), page.length)).toBe('<h1>Wartung</h1>');
});
