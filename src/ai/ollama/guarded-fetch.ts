import { clean } from '../../core/text/words.ts';
import { OllamaError } from './ollama-error.ts';

/**
 * The largest response, bytes. A real answer has a few kilobytes. The limit stops an endless one.
 */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 256 * 1024;
const MAX_ERROR_CHARACTERS = 2000;

/**
 * Returns a `fetch` for the ollama package that checks each response first. The package reads
 * without a limit and ignores the signal for requests that don't stream. It also prints error pages
 * and invalid lines to the console, and these may quote a payload.
 *
 * The `fetch` throws `OllamaError`, or the signal's reason after an abort.
 */
export function guardedFetch(signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const signals = init?.signal ? [signal, init.signal] : [signal];
    let response: Response;
    try {
      response = await fetch(input, {
        ...init,
        redirect: 'error',
        signal: AbortSignal.any(signals),
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw new OllamaError('unreachable', `no Ollama answers (${reasonOf(cause)})`, cause);
    }
    if (!response.ok) throw await refusalOf(response);
    const isStream = response.headers.get('content-type')?.includes('ndjson') ?? false;
    const body = response.body?.pipeThrough(checked(isStream)) ?? null;
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

/** Returns the error for a refusal. Ollama reports errors as `{"error": "…"}`. */
async function refusalOf(response: Response): Promise<OllamaError> {
  const text = await bounded(response);
  let message = `status ${response.status}`;
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string' && error !== '') message = clean(error, 200);
  } catch {
    // The body is empty, or an error page of a proxy. The message then names the status.
  }
  const { status } = response;
  if (status === 404 && /not found|try pulling/i.test(message)) {
    return new OllamaError('model_missing', message);
  }
  return new OllamaError(status === 503 || status === 429 ? 'busy' : 'failed', message);
}

async function bounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    const reader = response.body?.getReader();
    while (reader && text.length <= MAX_ERROR_CHARACTERS) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
    }
    await reader?.cancel();
  } catch {
    // The connection broke. The message is then the part that arrived.
  }
  return text.slice(0, MAX_ERROR_CHARACTERS);
}

/**
 * Passes a response on until it is too large. In a stream, passes only lines that are JSON objects.
 */
function checked(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let line = '';
  const check = (text: string): void => {
    if (text.trim() !== '' && !isJsonObject(text)) {
      throw new OllamaError('malformed', 'Ollama sent a line that is not JSON');
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > MAX_RESPONSE_BYTES) {
        throw new OllamaError('malformed', 'the answer of Ollama does not end');
      }
      if (isStream) {
        const lines = (line + decoder.decode(chunk, { stream: true })).split('\n');
        line = lines.pop() ?? '';
        lines.forEach(check);
        if (line.length > MAX_LINE_CHARACTERS) {
          throw new OllamaError('malformed', 'a line of Ollama does not end');
        }
      }
      controller.enqueue(chunk);
    },
    flush() {
      if (isStream) check(line);
    },
  });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
  return cause?.code ?? (error instanceof Error ? error.message : String(error));
}
