import type { StreamedAttempt } from '../../api/deliveries/attempt-answer.ts';
import type { EndpointAnswer } from '../../api/endpoints/endpoint-answer.ts';
import type { EventSummaryAnswer } from '../../api/events/event-answer.ts';
import { newId } from '../../core/ids.ts';
import { counted } from '../../core/text/words.ts';
import type { Followed } from '../streams/choose-stream.ts';
import { followEvents } from '../streams/event-stream.ts';
import { fetchEventBody, fetchEventHead } from '../streams/fetch-event.ts';
import { HealthWatch } from '../streams/health-watch.ts';
import type { StreamedGet } from '../streams/streamed-get.ts';
import { printable } from '../terminal/output.ts';
import { type Forward, type ForwardOutcome, isTaken } from './forward/forward.ts';
import { forwardRequest } from './forward/forward-request.ts';
import { ForwardRoutes } from './forward/forward-routes.ts';
import { Forwarder } from './forward/forwarder.ts';
import type { Resign } from './forward/resign-by-server.ts';
import { meantRule, type RouteRule } from './forward/route-rule.ts';
import { TargetWatch } from './forward/target-watch.ts';
import { curlCommand } from './views/curl-command.ts';
import { detailLines, PREVIEW_BYTES } from './views/forward-details.ts';
import type { ListenView } from './views/listen-view.ts';
import type { ForwardRow } from './views/screen-state.ts';

export interface ListenRunOptions {
  get: StreamedGet;
  view: ListenView;
  followed: Followed;
  endpoints: EndpointAnswer[];
  rules: RouteRule[];
  target: string | null;
  secret: string | null;
  resign: Resign | null;
  since: string | undefined;
  timeoutMs: number;
  ending: { signal: AbortSignal; end(): void };
}

export class ListenRun {
  readonly #options: ListenRunOptions;
  readonly #forwarder: Forwarder;
  readonly #watch: TargetWatch;
  readonly #routes: ForwardRoutes;
  readonly #names: Map<string, string>;
  readonly #health = new HealthWatch();
  readonly #taken = { yes: 0, no: 0 };
  #fatal: { error: unknown } | null = null;

  constructor(options: ListenRunOptions) {
    this.#options = options;
    const { get, view, rules, target, secret, resign, timeoutMs, ending } = options;
    const { signal } = ending;
    this.#routes = new ForwardRoutes(rules, target);
    this.#names = new Map(options.endpoints.map(({ id, name }) => [id, name]));
    this.#watch = new TargetWatch({
      onDown: (origin) => view.note(downText(origin, view)),
      onUp: (origin) => view.note(`${origin} answers again`),
      signal,
    });
    this.#forwarder = new Forwarder({
      get,
      secret,
      resign,
      timeoutMs,
      signal,
      route: (event) => this.#routes.targetOf(event),
      endpointName: (id) => this.#names.get(id) ?? null,
      onSent: (forward, target) => view.sent(forward, target),
      onDone: (forward, outcome) => this.#done(forward, outcome),
      onFatal: (error) => {
        this.#fatal ??= { error };
        ending.end();
      },
    });
  }

  get hasFailed(): boolean {
    return this.#fatal !== null;
  }

  /** Runs until the end signal. Throws the errors of the stream and of forwarding. */
  async follow(): Promise<void> {
    const { get, view, followed, since, ending } = this.#options;
    const items = followEvents(get, {
      endpointId: followed.endpointId,
      query: { from: since },
      // Skip the server's attempts, except those that change a destination's health.
      wants: (item) =>
        (item.kind !== 'attempt' || item.attempt.destination_health != null) &&
        followed.wants(item),
      signal: ending.signal,
    });
    for await (const item of items) {
      if (item.kind === 'ready') this.#ready();
      else if (item.kind === 'event') await this.#add(item.event, 'capture');
      else if (item.kind === 'attempt') this.#healthOf(item.attempt);
      else view.connection(item);
    }
    if (this.#fatal) throw this.#fatal.error;
  }

  replay(event: EventSummaryAnswer): void {
    this.#add(event, 'replay');
  }

  async details(row: ForwardRow): Promise<string[]> {
    const { get, ending } = this.#options;
    const { event } = row.forward;
    const head = await fetchEventHead(get, event.id, ending.signal);
    const preview = await fetchEventBody(get, event, ending.signal, PREVIEW_BYTES);
    return detailLines(row, head, preview);
  }

  async curl(row: ForwardRow): Promise<string> {
    const { get, secret, resign, ending } = this.#options;
    const { event, trigger } = row.forward;
    const head = await fetchEventHead(get, event.id, ending.signal);
    const body = await fetchEventBody(get, event, ending.signal);
    const endpointName = this.#names.get(event.endpoint_id) ?? null;
    const target = row.target ?? this.#routes.targetOf({ head, body, endpointName });
    if (target === null) throw new Error('no rule matches this event');
    const now = Date.now();
    const deliveryId = newId('dlv', now);
    const request = await forwardRequest({
      ...{ head, body, target, secret, resign, deliveryId, trigger, now },
    });
    if ('code' in request) throw new Error(request.message);
    return curlCommand(request, event.id);
  }

  readonly close = async (): Promise<void> => {
    const { view } = this.#options;
    view.close();
    await this.#forwarder.close();
    const { yes, no } = this.#taken;
    if (yes + no > 0) view.note(`forwarded ${counted(yes + no, 'event')}, ${no} failed`);
  };

  #ready(): void {
    const { get, view, endpoints, target, rules } = this.#options;
    view.ready({ server: get.url, endpoints, target, rules });
    for (const rule of rules) {
      const meant = meantRule(rule);
      if (meant !== null) view.note(meantText(rule, meant));
    }
    const targets = [...rules.map((rule) => rule.target), ...(target === null ? [] : [target])];
    for (const one of new Set(targets)) void this.#watch.check(one);
  }

  #healthOf(attempt: StreamedAttempt): void {
    const change = this.#health.saw(attempt);
    if (change !== null) this.#options.view.health(change);
  }

  /** Resolves when there is room for another forward. */
  #add(event: EventSummaryAnswer, trigger: Forward['trigger']): Promise<unknown> {
    const { forward, accepted } = this.#forwarder.add(event, trigger);
    this.#options.view.added(forward);
    return accepted;
  }

  #done(forward: Forward, outcome: ForwardOutcome): void {
    if (outcome.target !== null) this.#taken[isTaken(outcome) ? 'yes' : 'no']++;
    this.#watch.saw(outcome);
    this.#options.view.done(forward, outcome);
  }
}

function meantText({ text }: RouteRule, meant: string): string {
  return `the route "${printable(text)}" compares texts; for a rule write 'where ${printable(meant)} -> …'`;
}

function downText(origin: string, view: ListenView): string {
  return `nothing listens at ${printable(origin)}; the server keeps the events, ${view.howToRetry}`;
}
