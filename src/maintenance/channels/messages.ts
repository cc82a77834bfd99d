import type { ChannelMessage } from '../../core/channels/channel.ts';
import { MESSAGE_KEY_HEADER } from '../../core/channels/message-key.ts';
import { HookrelayError } from '../../core/errors.ts';
import type { Logger } from '../../core/runtime/runtime.ts';
import type { IssueStore } from '../../store/contract/issues.ts';
import { BackgroundLoop } from '../background-loop.ts';

/** The longest delay of a message that another node queued, ms. */
const EVERY_MS = 5000;
/** The messages that one slice captures at most. They share a commit. */
const SLICE_MESSAGES = 50;

interface MessageRequest {
  publicToken: string;
  method: string;
  /** Name, value, name, value … */
  headers: readonly string[];
  body: Buffer;
}

export interface SendingOptions {
  issues: Pick<IssueStore, 'queued' | 'captured'>;
  /** Captures a request as an event. Throws `endpoint_not_found` if the channel is gone. */
  capture(request: MessageRequest): Promise<unknown>;
  log: Logger;
}

/**
 * Captures queued messages at their channels' endpoints. The delivery queue then sends them. A
 * crash before `issues.captured` makes the loop capture a message again. The endpoint then
 * recognises the message's key and doesn't deliver it twice.
 */
export function createSending({ issues, capture, log }: SendingOptions): BackgroundLoop {
  return new BackgroundLoop({
    name: 'sending messages to channels',
    log,
    everyMs: EVERY_MS,
    async slice() {
      const queued = await issues.queued(SLICE_MESSAGES);
      const ends = await Promise.allSettled(queued.map((message) => capture(requestOf(message))));
      const done = queued.filter((_, i) => isOver(ends[i] as PromiseSettledResult<unknown>));
      if (done.length > 0) await issues.captured(done.map(({ id }) => id));
      const failed = ends.find((end) => end.status === 'rejected' && !isOver(end));
      if (failed) throw (failed as PromiseRejectedResult).reason;
      return queued.length === SLICE_MESSAGES;
    },
  });
}

function requestOf(message: ChannelMessage): MessageRequest {
  const { id, contentType, body, publicToken } = message;
  return {
    publicToken,
    method: 'POST',
    headers: ['Content-Type', contentType, MESSAGE_KEY_HEADER, id, 'User-Agent', 'hookrelay'],
    body: Buffer.from(body),
  };
}

/** Whether the message was captured, or its channel is gone. */
function isOver(end: PromiseSettledResult<unknown>): boolean {
  if (end.status === 'fulfilled') return true;
  return end.reason instanceof HookrelayError && end.reason.code === 'endpoint_not_found';
}
