import { live } from './page.ts';

/** Shows in the title the number of events that arrived while the page was hidden. */
export function countUnread(): void {
  let unread = 0;
  const show = () => {
    document.title = unread === 0 ? 'hookrelay' : `(${unread > 999 ? '999+' : unread}) hookrelay`;
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') return;
    unread = 0;
    show();
  });
  let stop = () => {};
  live.subscribe((stream) => {
    stop();
    stop =
      stream?.subscribe((news) => {
        if (news.kind !== 'event' || document.visibilityState === 'visible') return;
        unread++;
        show();
      }) ?? (() => {});
  });
}
