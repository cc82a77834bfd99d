import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { EventStatus } from '../../core/model.ts';
import type { Remote } from '../client/remote-command.ts';
import { hasCode } from '../command-error.ts';
import { attemptLine, eventLine, healthLine, stdoutSurface } from '../events/event-line.ts';
import { endSignal } from '../terminal/end-signal.ts';
import { type Output, printable } from '../terminal/output.ts';
import { chooseStream, type Followed } from './choose-stream.ts';
import { connectionNote, connectionRecord } from './connection-item.ts';
import { followEvents } from './event-stream.ts';
import { fetchEventHead, patiently } from './fetch-event.ts';
import { HealthWatch, healthRecord } from './health-watch.ts';
import { StatusWatch } from './status-watch.ts';
import type { StreamItem } from './stream-item.ts';
import { StreamedGet } from './streamed-get.ts';

export interface TailFlags {
  /** Names, ids or capture URLs; empty for all endpoints. */
  endpoint: string[];
  attempts: boolean;
  /** ISO 8601. */
  since: string | undefined;
  status: EventStatus | undefined;
  where: string | undefined;
  type: string | undefined;
  exitOnDisconnect: boolean;
}

/** Shows events until a signal ends it. Throws the errors of `followEvents`. */
export async function tail({ client, out }: Remote, flags: TailFlags): Promise<void> {
  const ending = endSignal();
  const get = new StreamedGet(client);
  try {
    const followed = await chooseStream(client, flags.endpoint);
    await new Tail(get, out, flags, ending.signal).run(followed);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    ending.release();
    await get.close();
  }
}

class Tail {
  readonly #get: StreamedGet;
  readonly #out: Output;
  readonly #flags: TailFlags;
  readonly #signal: AbortSignal;
  readonly #watch: StatusWatch | null;
  readonly #health = new HealthWatch();
  /** The number of events printed since the connection was lost. */
  #late = 0;

  constructor(get: StreamedGet, out: Output, flags: TailFlags, signal: AbortSignal) {
    this.#get = get;
    this.#out = out;
    this.#flags = flags;
    this.#signal = signal;
    this.#watch = flags.status === undefined ? null : new StatusWatch(flags.status);
  }

  async run({ endpointId, wants, endpoints }: Followed): Promise<void> {
    const { since: from, where, type } = this.#flags;
    const signal = this.#signal;
    const items = followEvents(this.#get, {
      endpointId,
      query: { from, where, type },
      wants,
      signal,
    });
    for await (const item of items) {
      if (item.kind === 'ready') this.#ready(endpoints);
      else if (item.kind === 'event' || item.kind === 'attempt') await this.#show(item);
      else this.#connection(this.#asPrinted(item));
    }
  }

  /** Counts only printed events as missed, because `--status` may hide others. */
  #asPrinted(item: StreamItem): StreamItem {
    if (item.kind === 'disconnected') this.#late = 0;
    return item.kind === 'reconnected' ? { ...item, missedEvents: this.#late } : item;
  }

  #ready(endpoints: Followed['endpoints']): void {
    const { url } = this.#get;
    if (this.#out.json) {
      this.#out.ndjson({ type: 'ready', url });
      return;
    }
    const names = endpoints?.map(({ name }) => name).join(', ') ?? 'all endpoints';
    this.#out.note(`following ${printable(names)} at ${url}; Ctrl-C ends it`);
  }

  #connection(item: StreamItem): void {
    if (item.kind === 'disconnected' && this.#flags.exitOnDisconnect) {
      throw new HookrelayError('server_unreachable', item.reason, {
        hint: 'without --exit-on-disconnect, tail reconnects and catches up',
      });
    }
    const note = connectionNote(item);
    if (note !== null) this.#out.note(note);
    const record = connectionRecord(item);
    if (record !== null && this.#out.json) this.#out.ndjson(record);
  }

  async #show(item: StreamItem & { kind: 'event' | 'attempt' }): Promise<void> {
    const { attempts, status } = this.#flags;
    const enters = this.#watch === null || this.#watch.enters(item);
    if (item.kind === 'event') {
      if (enters) this.#event(item.event);
      return;
    }
    const { attempt } = item;
    if (attempts && (status === undefined || attempt.event_status === status)) {
      this.#attempt(attempt);
    }
    this.#healthOf(attempt);
    if (this.#watch !== null && enters) await this.#eventOf(attempt);
  }

  async #eventOf({ event_id, event_status }: StreamedAttempt): Promise<void> {
    try {
      const ask = () => fetchEventHead(this.#get, event_id, this.#signal);
      const head = await patiently(ask, this.#signal);
      // Show the status right after the attempt. The event may have another status by now.
      this.#event({ ...summaryOf(head), status: event_status });
    } catch (error) {
      if (!hasCode(error, 'event_not_found')) throw error;
    }
  }

  #healthOf(attempt: StreamedAttempt): void {
    const change = this.#health.saw(attempt);
    if (change === null) return;
    const { health, matters } = change;
    if (this.#out.json) this.#out.ndjson(healthRecord(change));
    else if (matters) this.#out.line(healthLine(attempt, health, stdoutSurface(this.#get.url)));
  }

  #event(event: EventSummaryAnswer): void {
    this.#late++;
    if (this.#out.json) this.#out.ndjson({ type: 'event', ...event });
    else this.#out.line(eventLine(event, stdoutSurface(this.#get.url)));
  }

  #attempt(attempt: StreamedAttempt): void {
    if (this.#out.json) this.#out.ndjson({ type: 'attempt', ...attempt });
    else this.#out.line(attemptLine(attempt, stdoutSurface(this.#get.url)));
  }
}

function summaryOf(event: EventSummaryAnswer): EventSummaryAnswer {
  const { id, endpoint_id, status, method, received_at, path, content_type, size } = event;
  const { provider, event_type, source_ip, attempts, edited_from } = event;
  const { verification, duplicate_of, duplicate_conflict, unjudged } = event;
  const { delivery_counts, held_by } = event;
  const { response_code, latency_ms, retries } = event;
  return {
    ...{ id, status, method, received_at, endpoint_id, path, content_type, size },
    ...{ provider, event_type, source_ip, attempts, edited_from },
    ...{ response_code, latency_ms, retries },
    ...{ verification, duplicate_of, duplicate_conflict, unjudged },
    ...{ delivery_counts, held_by },
  };
}
