import type { Notice } from './notice.ts';

/** Returns the body of a `webhook` channel's request (Standard Webhooks, "Payload structure"). */
export function webhookBody({ type, at, data }: Notice): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
