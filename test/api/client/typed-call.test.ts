import { expect, expectTypeOf, test } from 'vitest';
import type { Api } from '../../../src/api/client/api.ts';
import { callTarget } from '../../../src/api/client/call-target.ts';
import type { CallAnswer, CallArguments, CallOf } from '../../../src/api/client/typed-call.ts';

/* What clients call by `Api`: a call that the routes don't know doesn't compile. */

async function call<K extends CallOf>(
  name: K,
  ...[input = {} as never]: CallArguments<K, { signal?: AbortSignal }>
): Promise<CallAnswer<K>> {
  return callTarget(name, input as never) as never;
}

test('a call that departs from its contract does not compile', async () => {
  const params = { id: 'ep_1' };
  await Promise.all([
    // @ts-expect-error: no such path
    call('GET /api/endpointz'),
    // @ts-expect-error: no such method of the path
    call('PATCH /api/endpoints'),
    // @ts-expect-error: another parameter
    call('GET /api/endpoints/{id}', { params: { ID: 'ep_1' } }),
    // @ts-expect-error: a parameter too many
    call('GET /api/endpoints/{id}', { params: { id: 'ep_1', eventId: 'evt_1' } }),
    // @ts-expect-error: no such member of the query
    call('GET /api/issues', { query: { stat: 'open' } }),
    // @ts-expect-error: no such value
    call('GET /api/issues', { query: { state: 'opened' } }),
    // @ts-expect-error: no such member of the body
    call('PATCH /api/endpoints/{id}', { params, body: { nam: 'orders' } }),
    // @ts-expect-error: another type
    call('PATCH /api/endpoints/{id}', { params, body: { name: 1 } }),
    // @ts-expect-error: the body is missing
    call('PATCH /api/issues/{issueId}', { params: { issueId: 'iss_1' } }),
    // @ts-expect-error: it takes no body
    call('GET /api/endpoints', { body: {} }),
    // @ts-expect-error: no such option
    call('GET /api/endpoints', { sgnal: null }),
  ]);
});

test('an answer has the type of its schema', () => {
  expectTypeOf<Api['GET /api/endpoints']['response'][number]['name']>().toEqualTypeOf<string>();
  expectTypeOf<CallAnswer<'DELETE /api/endpoints/{id}'>>().toEqualTypeOf<undefined>();
  expectTypeOf<CallAnswer<'GET /api/attempts/{attemptId}/request'>>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<CallAnswer<'POST /api/endpoints/{id}/replay'>>().toEqualTypeOf<
    { queued: number; job_id: string } | { matching: number }
  >();
});

test('a target holds the parameters and the query, encoded', () => {
  const query = { type: 'a/b c', format: '' } as const;
  expect(
    callTarget('GET /api/endpoints/{id}/types/schema', { params: { id: 'ep/1?' }, query }),
  ).toEqual({ method: 'GET', path: '/api/endpoints/ep%2F1%3F/types/schema?type=a%2Fb+c' });
  expect(callTarget('GET /api/endpoints', {})).toEqual({ method: 'GET', path: '/api/endpoints' });
});
