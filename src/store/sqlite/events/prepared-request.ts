import type { CapturedRequest } from '../../../core/http/captured-request.ts';

/** A captured request as rows store it. Its headers are JSON. */
export type RequestRows = Omit<CapturedRequest, 'rawHeaders' | 'body'> & {
  headers: string;
  body: Uint8Array;
};

export function prepareRequest({ rawHeaders, body, ...request }: CapturedRequest): RequestRows {
  return { ...request, headers: JSON.stringify(rawHeaders), body: body.bytes };
}
