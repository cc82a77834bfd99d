import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChannelAnswer } from '../../../api/channels/channel-answer.ts';
import { asApiError } from '../../model/api-error.ts';
import { session } from '../../model/page.ts';
import { useAction } from '../../parts/form/use-action.ts';
import { messageText } from './channel-text.ts';

/** How often the page asks for the test message's state, ms. */
const POLL_MS = 400;
/** How long the page waits for the test message's outcome, ms. Mail servers are slow. */
const PATIENCE_MS = 30_000;

interface TestResult {
  text: string;
  look: 'neutral' | 'good' | 'bad';
}

interface ChannelTest extends TestResult {
  isBusy: boolean;
  run(): void;
}

/** Sends a test message, and waits until its first attempt ends. */
export function useChannelTest({ id }: Pick<ChannelAnswer, 'id'>, onDone: () => void): ChannelTest {
  const [isBusy, once] = useAction();
  const [result, setResult] = useState<TestResult>({ text: '', look: 'neutral' });
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const params = { channelId: id };
  const run = () =>
    once(async () => {
      const { signal } = left.current;
      setResult({ text: 'Test: sending …', look: 'neutral' });
      try {
        const before = await session.call('GET /api/channels/{channelId}', { params, signal });
        await session.call('POST /api/channels/{channelId}/test', { params });
        const ended = await outcome(id, before.last_delivery?.id, signal);
        if (!signal.aborted) setResult(ended);
      } catch (failed) {
        if (signal.aborted) return;
        const { message, hint } = asApiError(failed);
        setResult({ text: `Couldn’t test it: ${message}${hint ? ` (${hint})` : ''}`, look: 'bad' });
      }
      if (!signal.aborted) onDone();
    });
  return { ...result, isBusy, run };
}

/** @param beforeId the last message before the test */
async function outcome(
  channelId: string,
  beforeId: string | undefined,
  signal: AbortSignal,
): Promise<TestResult> {
  const begun = Date.now();
  while (Date.now() - begun < PATIENCE_MS && !signal.aborted) {
    const { last_delivery: last } = await session.call('GET /api/channels/{channelId}', {
      params: { channelId },
      signal,
    });
    const isOver = last && (last.state !== 'pending' || last.error !== null);
    if (last && isOver && last.id !== beforeId) {
      const look = last.state === 'succeeded' ? 'good' : 'bad';
      return { text: `Test: the message ${messageText(last)}`, look };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return { text: 'Test: the message is still on its way', look: 'neutral' };
}
