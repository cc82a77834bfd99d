import { signal } from '@preact/signals';
import { live } from './page.ts';

/** The number of events that arrived while the page was hidden. */
export const unread = signal(0);

export function countUnread(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') unread.value = 0;
  });
  let stop = () => {};
  live.subscribe((stream) => {
    stop();
    unread.value = 0;
    stop =
      stream?.subscribe((news) => {
        if (news.kind === 'event' && document.visibilityState === 'hidden') unread.value++;
      }) ?? (() => {});
  });
}
