import * as v from 'valibot';

const MOST_ENDPOINTS = 100;
const ENDPOINT_ID = /^ep_[0-9a-z]{26}$/;

/** Text that may be an id. The handler checks whether it is one. */
export function idSchema(noun: 'endpoint' | 'destination') {
  const message = `must be the id of ${noun === 'endpoint' ? 'an' : 'a'} ${noun}`;
  return v.pipe(v.string('must be a string'), v.regex(/^[\w-]{1,64}$/, message));
}

/** The endpoints to which something is limited. */
export const endpointIdsSchema = v.pipe(
  v.array(
    v.pipe(v.string('must be a string'), v.regex(ENDPOINT_ID, 'must be the id of an endpoint')),
    'must be a list of endpoint ids',
  ),
  v.minLength(1, 'must name at least one endpoint'),
  v.maxLength(MOST_ENDPOINTS, `must name at most ${MOST_ENDPOINTS} endpoints`),
);
