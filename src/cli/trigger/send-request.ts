import { Agent } from 'undici';
import { HookrelayError } from '../../core/errors.ts';
import { attemptErrorOf } from '../../delivery/transports/webhook/attempt-error.ts';

/** Deadline from connecting to the end of the answer, ms. A capture URL takes milliseconds. */
const TIMEOUT_MS = 30_000;
/** How much of an answer is read, bytes. */
const ANSWER_MAX_BYTES = 16 * 1024;

export interface TriggerRequest {
  /** The scheme, the host and the port. */
  origin: string;
  /** The path and the query. They are sent unchanged. */
  path: string;
  method: string;
  /** Name, value, name, value … */
  headers: string[];
  body: Buffer;
}

export interface TriggerAnswer {
  status: number;
  /** Id of the captured event. Null if another program answered. */
  eventId: string | null;
  /** The first 16 KiB of the body. */
  text: string;
}

/**
 * Sends one request, byte for byte, and reads its answer. Follows no redirects. Throws
 * `server_unreachable` if there is no answer.
 */
export async function sendRequest(request: TriggerRequest): Promise<TriggerAnswer> {
  const { origin, path, method, headers, body } = request;
  // Only HTTP/1.1, because HTTP/2 would change the case of the header names.
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
