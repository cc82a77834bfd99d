import { Agent } from 'undici';
import { HookrelayError } from '../../core/errors.ts';
import { attemptErrorOf } from '../../delivery/transports/webhook/attempt-error.ts';

/** Deadline from connecting to the end of the answer, ms. A capture URL takes milliseconds. */
const TIMEOUT_MS = 30_000;
/** The largest part of an answer that is read, bytes. */
const ANSWER_MAX_BYTES = 16 * 1024;

export interface TriggerRequest {
  origin: string;
  /** Path and query, which are sent unchanged. */
  path: string;
  method: string;
  /** Names and values in turn. */
  headers: string[];
  body: Buffer;
}

export interface TriggerAnswer {
  status: number;
  /** Id of the captured event; null if another program answered. */
  eventId: string | null;
  text: string;
}

/** Follows no redirects. Throws `server_unreachable` without an answer. */
export async function sendRequest(request: TriggerRequest): Promise<TriggerAnswer> {
  const { origin, path, method, headers, body } = request;
  // Use only HTTP/1.1, because HTTP/2 would change the case of header names.
  const agent = new Agent({ allowH2: false, connect: { timeout: TIMEOUT_MS } });
  try {
    const response = await agent.request({
      origin,
      path,
      method: method as 'POST',
      headers,
      body: body.length > 0 ? body : null,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const eventId = response.headers['x-hookrelay-event-id'];
    return {
      status: response.statusCode,
      eventId: typeof eventId === 'string' ? eventId : null,
      text: await beginningOf(response.body),
    };
  } catch (error) {
    throw new HookrelayError('server_unreachable', `${origin}: ${reasonOf(error as Error)}`, {
      hint: 'is something listening there?',
      cause: error,
    });
  } finally {
    await agent.destroy();
  }
}

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= ANSWER_MAX_BYTES) break;
    }
  } catch {
    // The body may be incomplete. The status is enough.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_MAX_BYTES).toString('utf8');
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `No answer after ${TIMEOUT_MS / 1000} s.`;
  return attemptErrorOf(error).message;
}
