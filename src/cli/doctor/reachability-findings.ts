import { Agent } from 'undici';
import type { Config } from '../../config/config.ts';
import { listeningUrl } from '../../core/http/listening-url.ts';
import type { Holder } from '../../store/contract/admin-store.ts';
import { type DoctorFinding, fail, ok, warn } from './doctor-finding.ts';

const SERVER_TIMEOUT_MS = 5000;
const OLLAMA_TIMEOUT_MS = 1000;

/** Asks at the address that the server recorded, otherwise at the configured one. */
export async function serverFinding(
  config: Config,
  holder: Holder | null,
): Promise<DoctorFinding[]> {
  const check = 'server';
  if (!holder) return [ok(check, 'none runs on this data')];
  if (holder.url === null && config.port === 0) {
    return [warn(check, 'its port is unknown', 'name it with --port')];
  }
  const url = holder.url ?? listeningUrl(config);
  // Don't verify the certificate, because it names the public host.
  const here = { verifies: false };
  const health = await get(`${url}/healthz`, SERVER_TIMEOUT_MS, here);
  if (health.error !== undefined || health.status !== 200) {
    const what = health.error ?? `answered ${health.status}`;
    const next =
      holder.url === null
        ? 'if it listens elsewhere, name --host and --port; otherwise look at its log'
        : 'look at its log';
    return [warn(check, `a process uses the data, but ${url}/healthz: ${what}`, next)];
  }
  const ready = await get(`${url}/readyz`, SERVER_TIMEOUT_MS, here);
  if (ready.status === 200) return [ok(check, `${url} is up and ready`)];
  const why = ready.error ?? errorIn(ready.body) ?? `answered ${ready.status}`;
  return [fail(check, `${url} is up, but takes no events: ${why}`, "look at the server's log")];
}

/** A failure is a warning only, because a network may block just this machine. */
export async function publicUrlFinding({ publicUrl }: Config): Promise<DoctorFinding[]> {
  const check = 'public URL';
  if (publicUrl === null) return [];
  const { status, error } = await get(`${publicUrl}/healthz`, SERVER_TIMEOUT_MS);
  if (status === 200) return [ok(check, `${publicUrl} leads to a server`)];
  const next = 'check DNS, certificate and proxy; some networks block only this machine';
  return [warn(check, `${publicUrl}/healthz: ${error ?? `answered ${status}`}`, next)];
}

export async function ollamaFinding({ ai }: Config): Promise<DoctorFinding> {
  const check = 'AI';
  if (ai.mode === 'off') return ok(check, 'off');
  if (ai.mode === 'builtin') return ok(check, 'builtin engine');
  const { status, error, body } = await get(`${ai.ollamaUrl}/api/tags`, OLLAMA_TIMEOUT_MS);
  const isNeeded = ai.mode === 'ollama';
  if (status !== 200) {
    const message = `no Ollama at ${ai.ollamaUrl} (${error ?? `answered ${status}`})`;
    return isNeeded
      ? fail(check, message, 'start it: ollama serve')
      : ok(check, `${message}; the builtin engine answers`);
  }
  if (modelsIn(body).some((name) => isModel(name, ai.ollamaModel))) {
    return ok(check, `Ollama with ${ai.ollamaModel} at ${ai.ollamaUrl}`);
  }
  const message = `Ollama at ${ai.ollamaUrl} has no ${ai.ollamaModel}`;
  const next = `ollama pull ${ai.ollamaModel}`;
  return isNeeded
    ? fail(check, message, next)
    : warn(check, `${message}; the builtin engine answers`, next);
}

interface Got {
  status: number;
  /** The reason, if there is no answer. */
  error?: string;
  body: unknown;
}

/** Requests a URL. Never throws and never follows a redirect. */
async function get(url: string, timeoutMs: number, { verifies = true } = {}): Promise<Got> {
  const agent = new Agent(verifies ? {} : { connect: { rejectUnauthorized: false } });
  try {
    const { origin, pathname, search } = new URL(url);
    const answer = await agent.request({
      ...{ origin, path: pathname + search, method: 'GET' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: unknown = await answer.body.json().catch(() => null);
    return { status: answer.statusCode, body };
  } catch (error) {
    return { status: 0, error: reasonOf(error), body: null };
  } finally {
    await agent.destroy();
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

function errorIn(body: unknown): string | undefined {
  return (body as { error?: { message?: string } } | null)?.error?.message;
}

function modelsIn(body: unknown): string[] {
  const models = (body as { models?: unknown } | null)?.models;
  if (!Array.isArray(models)) return [];
  return models.map((model) => String((model as { name?: unknown } | null)?.name));
}

/** Returns whether a model has the wanted name. Ollama adds `:latest` to a name without a tag. */
function isModel(name: string, wanted: string): boolean {
  return name === wanted || name === `${wanted}:latest`;
}
