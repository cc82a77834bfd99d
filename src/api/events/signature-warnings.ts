import type { OriginalRequest, RequestEdits } from '../../capture/edited-request.ts';
import type { Endpoint, EventSummary } from '../../core/model.ts';
import { unfitSignature } from '../../providers/unfit-signature.ts';
import type { CopyWarning } from './event-answer.ts';

interface Original extends OriginalRequest {
  endpoint: Pick<Endpoint, 'publicToken' | 'source'>;
  event: EventSummary;
}

/** Warns if an edited copy carries a signature of the original that no longer fits. */
export function signatureWarnings(
  { endpoint, event, content }: Original,
  { method, path, query, headers = [], body }: RequestEdits,
): CopyWarning[] {
  const header = unfitSignature({ ...event, rawHeaders: content.rawHeaders }, endpoint.source, {
    isBodyEdited: body !== undefined && !body.equals(content.body),
    isUrlEdited: isEdited(path, event.path) || isEdited(query, content.query),
    isMethodEdited: isEdited(method, event.method),
    headers: headers.map(([name]) => name),
  });
  if (header === null) return [];
  const message = `${header} signs the original: a receiver that verifies it refuses the copy`;
  return [{ path: 'headers', code: 'signature_mismatch', message }];
}

function isEdited(now: string | undefined, before: string): boolean {
  return now !== undefined && now !== before;
}
