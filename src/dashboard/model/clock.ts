import { signal } from '@preact/signals';

const KEY = 'hookrelay-zone';
const TICK_MS = 1000;

/** The zone of all times on the page. The browser stores the choice. */
export type Zone = 'local' | 'utc';

export const zone = signal<Zone>(localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local');

export function nextZone(): void {
  zone.value = zone.value === 'utc' ? 'local' : 'utc';
  localStorage.setItem(KEY, zone.value);
}

/** The current time, Unix ms. Updated each second while the page is visible. */
export const now = signal(Date.now());

export function startClock(): void {
  const tick = () => {
    if (document.visibilityState === 'visible') now.value = Date.now();
  };
  setInterval(tick, TICK_MS);
  document.addEventListener('visibilitychange', tick);
}
