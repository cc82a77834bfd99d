import { Throttle } from '../../../src/delivery/schedule/throttle.ts';

/** What a capture and an attempt cost the thread, and how long the others take, ms. */
const CAPTURE_MS = 0.03;
const ATTEMPT_MS = 0.055;
const COMMIT_MS = 0.5;
const ROW_MS = 0.02;
const ANSWER_MS = 1;
const CONNECTIONS = 64;
const SLOTS = 256;
const SIMULATED_MS = 2000;

interface Flood {
  destinations: number;
  /** The sender sends nothing while this many events aren't at their first destination. */
  underWay?: number;
  /** How many events come. Default: no end */
  captures?: number;
  isThrottled?: boolean;
}

/**
 * A server's thread whose time is simulated. Senders on 64 connections send the next event when the
 * last one was answered. The thread reads them, commits them in groups, and attempts their
 * deliveries as the throttle allows.
 */
export function floodedThread({
  destinations,
  underWay = Number.POSITIVE_INFINITY,
  captures = Number.POSITIVE_INFINITY,
  isThrottled = true,
}: Flood) {
  let now = 0;
  let worked = 0;
  let measured = { now: 0, worked: 0 };
  const throttle = new Throttle({ monotonic: () => now }, () => {
    const share = (worked - measured.worked) / (now - measured.now);
    measured = { now, worked };
    return share;
  });
  const work = (ms: number) => {
    now += ms;
    worked += ms;
  };
  const idleSenders = Array.from({ length: CONNECTIONS }, () => 0);
  const read: number[] = [];
  let commit: { events: number[]; endsAt: number } | null = null;
  const waiting: { sentAt: number; destination: number }[] = [];
  const running: { sentAt: number; destination: number; endsAt: number }[] = [];
  const latencies: number[] = [];
  let sent = 0;
  let captured = 0;
  let delivered = 0;
  let outstanding = 0;
  while (now < SIMULATED_MS && (captured < captures || delivered < captured * destinations)) {
    while (idleSenders.length > 0 && outstanding < underWay && sent < captures) {
      const sentAt = idleSenders.pop() as number;
      read.push(Math.max(sentAt, now));
      sent++;
      outstanding++;
      work(CAPTURE_MS);
    }
    if (!commit && read.length > 0) {
      const events = read.splice(0);
      const rowsMs = events.length * ROW_MS * (1 + destinations / 4);
      commit = { events, endsAt: now + COMMIT_MS + rowsMs };
    }
    if (commit && commit.endsAt <= now) {
      const { events } = commit;
      commit = null;
      captured += events.length;
      if (isThrottled) throttle.onCaptured(events.length, read.length);
      for (const sentAt of events) {
        for (let i = 0; i < destinations; i++) waiting.push({ sentAt, destination: i });
        idleSenders.push(now);
      }
    }
    for (const one of running.filter(({ endsAt }) => endsAt <= now)) {
      running.splice(running.indexOf(one), 1);
      delivered++;
      if (one.destination > 0) continue;
      outstanding--;
      latencies.push(one.endsAt - one.sentAt);
    }
    while (waiting.length > 0 && running.length < SLOTS && throttle.allows()) {
      throttle.onStart();
      const one = waiting.shift() as { sentAt: number; destination: number };
      work(ATTEMPT_MS);
      running.push({ ...one, endsAt: now + ANSWER_MS });
    }
    const next = Math.min(commit?.endsAt ?? now + 1, ...running.map(({ endsAt }) => endsAt));
    const canRead = idleSenders.length > 0 && outstanding < underWay && sent < captures;
    if (next > now && !canRead) now = Math.min(next, now + 1);
  }
  latencies.sort((a, b) => a - b);
  return {
    capturesPerSecond: (captured / now) * 1000,
    deliveriesPerSecond: (delivered / now) * 1000,
    /** From the send to the first destination's answer, ms. */
    p50Ms: latencies[latencies.length >> 1] ?? Number.POSITIVE_INFINITY,
    lastMs: now,
  };
}
