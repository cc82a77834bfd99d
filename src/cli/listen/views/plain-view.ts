import {
  clockText,
  eventLink,
  healthLine,
  sourceText,
  stdoutSurface,
} from '../../events/event-line.ts';
import { connectionNote } from '../../streams/connection-item.ts';
import type { HealthChange } from '../../streams/health-watch.ts';
import type { StreamItem } from '../../streams/stream-item.ts';
import { dim, type Output } from '../../terminal/output.ts';
import type { Forward, ForwardOutcome } from '../forward/forward.ts';
import { forwardText } from './forward-line.ts';
import { hasSeveralTargets, infoLines } from './info-lines.ts';
import type { ListenInfo, ListenView } from './listen-view.ts';

export class PlainView implements ListenView {
  readonly howToRetry = '--since sends them again later';
  readonly #out: Output;
  #server: string | null = null;
  #namesTarget = false;

  constructor(out: Output) {
    this.#out = out;
  }

  ready(info: ListenInfo): void {
    this.#server = info.server;
    this.#namesTarget = hasSeveralTargets(info);
    for (const line of infoLines(info)) this.#out.note(line);
  }

  added(): void {}

  sent(): void {}

  done(forward: Forward, outcome: ForwardOutcome): void {
    const { now, server } = stdoutSurface(this.#server ?? '');
    const progress = { forward, target: outcome.target, outcome };
    const source = sourceText(forward.event);
    const texts = [
      dim(clockText(forward.event.received_at, now)),
      forwardText(progress, { namesTarget: this.#namesTarget }),
      ...(source === '' ? [] : [dim(source)]),
      eventLink(forward.event.id, server),
    ];
    this.#out.line(texts.join('  '));
  }

  connection(item: StreamItem): void {
    const note = connectionNote(item);
    if (note !== null) this.#out.note(note);
  }

  health({ attempt, health, matters }: HealthChange): void {
    if (matters) this.#out.line(healthLine(attempt, health, stdoutSurface(this.#server ?? '')));
  }

  note(text: string): void {
    this.#out.note(text);
  }

  close(): void {}
}
