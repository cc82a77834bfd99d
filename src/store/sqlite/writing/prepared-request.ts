import type { CapturedRequest } from '../../../core/http/captured-request.ts';

/** A captured request as its rows hold it: the headers are JSON already. */
export type PreparedRequest = Omit<CapturedRequest, 'rawHeaders' | 'body'> & {
  headers: string;
  body: Uint8Array;
};

export function prepareRequest({ rawHeaders, body, ...request }: CapturedRequest): PreparedRequest {
  return { ...request, headers: JSON.stringify(rawHeaders), body: body.bytes };
}
