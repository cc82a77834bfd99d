import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/*
 * What strace saw a server write, and what of it was on disk at each moment:
 * everything before the last sync of its file, and nothing after. A power cut
 * may keep some of the rest; the worst case keeps none.
 */

/** The calls to trace, with enough of their data to play them again. */
export const STRACE_FLAGS = [
  ...['-f', '-y', '-xx', '-s', '70000', '--seccomp-bpf'],
  ...['-e', 'trace=pwrite64,ftruncate,fsync,fdatasync,write,writev,sendmsg'],
];

type Change = { at: number; bytes: Buffer } | { length: number };

export type Step =
  | { kind: 'write' | 'sync'; file: string }
  /** A 2xx of a capture leaves, with its event's id; whether that was on disk by then. */
  | { kind: 'acknowledge'; eventId: string; isOnDisk: boolean };

export interface Trace {
  steps: Step[];
  /** Each file's content as far as it was synced, starting from `base`. */
  onDisk: Map<string, Buffer>;
}

/**
 * Reads a trace. Calls of several threads are woven into one another. One that
 * was interrupted counts when it has returned; an answer, when it was begun. (The
 * next batch is written while the last is answered: what counts is each event's own.)
 */
export function readTrace(traceFile: string, base: string, names: readonly string[]): Trace {
  const steps: Step[] = [];
  const disk = new Map(names.map((name) => [name, new TracedFile(contentOf(join(base, name)))]));
  const unfinished = new Map<string, string>();
  for (const raw of readFileSync(traceFile, 'latin1').split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(raw) ?? [];
    const cut = rest.indexOf(' <unfinished ...>');
    if (cut >= 0 && !isAnswer(rest)) {
      unfinished.set(thread, rest.slice(0, cut));
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const line = resumed ? `${unfinished.get(thread) ?? ''}${resumed[1]}` : rest;
    if (/ = -1 /.test(line)) continue;
    const call = /^(\w+)\(\d+<([^>]*)>/.exec(line);
    if (!call) continue;
    const [, name = '', path = ''] = call;
    const file = basename(unescaped(path).toString());
    const traced = disk.get(file);
    if (name === 'pwrite64' && traced) {
      const [, data = '', at = '0'] = /, "((?:\\x[0-9a-f]{2})*)", \d+, (\d+)\)/.exec(line) ?? [];
      traced.pending.push({ at: Number(at), bytes: unescaped(data) });
      steps.push({ kind: 'write', file });
    } else if (name === 'ftruncate' && traced) {
      traced.pending.push({ length: Number(/, (\d+)\)/.exec(line)?.[1]) });
    } else if (/^f(data)?sync$/.test(name) && traced) {
      traced.sync();
      steps.push({ kind: 'sync', file });
    } else if (isAnswer(line)) {
      for (const [, data = ''] of line.matchAll(/"((?:\\x[0-9a-f]{2})+)"/g)) {
        const text = unescaped(data).toString('latin1');
        if (!text.startsWith('HTTP/1.1 200')) continue;
        const eventId = /x-hookrelay-event-id: (evt_\w+)/.exec(text)?.[1];
        if (!eventId) continue;
        const isOnDisk = [...disk.values()].some(({ content }) => content.includes(eventId));
        steps.push({ kind: 'acknowledge', eventId, isOnDisk });
      }
    }
  }
  return { steps, onDisk: new Map([...disk].map(([name, { content }]) => [name, content])) };
}

const isAnswer = (line: string): boolean => /^(write|writev|sendmsg)\(/.test(line);

class TracedFile {
  content: Buffer;
  pending: Change[] = [];

  constructor(content: Buffer) {
    this.content = content;
  }

  sync(): void {
    for (const change of this.pending) {
      if ('length' in change) {
        const cut = Buffer.alloc(change.length);
        this.content.copy(cut);
        this.content = cut;
        continue;
      }
      const end = change.at + change.bytes.length;
      if (end > this.content.length) {
        const longer = Buffer.alloc(end);
        this.content.copy(longer);
        this.content = longer;
      }
      change.bytes.copy(this.content, change.at);
    }
    this.pending = [];
  }
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

/** `\x68\x6b` as its bytes; text without escapes as it is. */
function unescaped(text: string): Buffer {
  return text.startsWith('\\x')
    ? Buffer.from(text.replaceAll('\\x', ''), 'hex')
    : Buffer.from(text, 'latin1');
}

/** A copy of the data directory as the disk had it when the power went. */
export function writeDisk(base: string, to: string, { onDisk }: Trace): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(base)) copyFileSync(join(base, name), join(to, name));
  for (const [name, content] of onDisk) writeFileSync(join(to, name), content);
}

/** Acknowledgements that left before their events were on disk, by their ids. */
export function early({ steps }: Trace): string[] {
  return steps.flatMap((step) =>
    step.kind === 'acknowledge' && !step.isOnDisk ? [step.eventId] : [],
  );
}
