import type { CallBody } from '../../api/client/typed-call.ts';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import { isBodiless } from '../../core/http/answer-status.ts';
import { headerIn, repeated, wholeNumber } from '../arguments.ts';
import { usageError } from '../command-error.ts';
import { commandPart, type FlagsOf } from '../command-part.ts';
import { defined } from '../defined.ts';

type Response = NonNullable<CallBody<'PATCH /api/endpoints/{id}'>['response']>;

export const addResponseFlags = commandPart((command) =>
  command
    .option(
      '--response-status <code>',
      'status of the answer to senders (default: 200)',
      wholeNumber(200, 599),
    )
    .option('--response-body <text>', 'body of the answer to senders')
    .option('--response-type <type>', 'content type of that body (default: application/json)')
    .option(
      '--response-header <header>',
      "header of the answer, 'name: value' (repeatable); 'name:' removes it",
      repeated(),
    ),
);

type ResponseFlags = FlagsOf<typeof addResponseFlags>;

/**
 * Returns the answer that the flags choose, in the API's form; null without a flag. Drops the
 * present body if the status allows none, because the API refuses the combination.
 *
 * @param present the present answer, which keeps parts without a flag; null for the default answer
 */
export function responseOf(
  flags: ResponseFlags,
  present: EndpointAnswer['response'],
): Response | null {
  const { responseStatus, responseBody, responseType, responseHeader } = flags;
  const given = [responseStatus, responseBody, responseType, responseHeader];
  if (given.every((flag) => flag === undefined)) return null;
  const status = responseStatus ?? present?.status ?? 200;
  const body = responseBody ?? (isBodiless(status) ? undefined : present?.body);
  const kept = isBodiless(status) ? undefined : present?.content_type;
  // If the present answer has no body, a new body gets the default content type.
  const type = responseType ?? (kept === null && body ? undefined : kept);
  const headers = headersOf(responseHeader ?? [], present?.headers);
  return {
    ...defined({ status, content_type: type, body }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  };
}

function headersOf(
  texts: readonly string[],
  present: Record<string, string> = {},
): [name: string, value: string][] {
  const headers = new Map(Object.entries(present).map((one) => [one[0].toLowerCase(), one]));
  const seen = new Set<string>();
  for (const text of texts) {
    const [name, value] = headerIn(text, '--response-header');
    const key = name.toLowerCase();
    if (seen.has(key)) throw usageError(`the header ${name} is given twice`);
    seen.add(key);
    if (value === '') headers.delete(key);
    else headers.set(key, [name, value]);
  }
  return [...headers.values()];
}
