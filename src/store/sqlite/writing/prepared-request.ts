import type { CapturedRequest } from '../../../core/model.ts';

/** A captured request as its rows hold it: the headers are JSON already. */
export type PreparedRequest = Omit<CapturedRequest, 'rawHeaders'> & { headers: string };

export function prepareRequest({ rawHeaders, ...request }: CapturedRequest): PreparedRequest {
  return { ...request, headers: JSON.stringify(rawHeaders) };
}
