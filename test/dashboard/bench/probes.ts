/** What runs inside the measured page. It knows markup that all builds of the page share. */
export interface Probes {
  /** Calls back after the frame that shows what `holds`, with the time of that, ms. */
  whenPainted(holds: () => boolean): Promise<number>;
  /** When the first row of a list was painted, ms since the navigation. */
  firstRowAt: Promise<number>;
  /** Tasks of the main thread over 50 ms: start and duration, ms. */
  longTasks: { startTime: number; duration: number }[];
}

export type ProbedWindow = Window & { probes: Probes };

/**
 * Installs the probes before the page's own code runs. A frame is painted when a task that
 * its animation frame has queued runs.
 */
export function installProbes(): void {
  const painted = (): Promise<number> =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(null);
      }),
    );
  const whenPainted = (holds: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      if (holds()) {
        resolve(painted());
        return;
      }
      const observer = new MutationObserver(() => {
        if (!holds()) return;
        observer.disconnect();
        resolve(painted());
      });
      observer.observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    });
  const longTasks: Probes['longTasks'] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      longTasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  const isFirstRow = () => document.querySelector('[role=listbox] [role=option]') !== null;
  (window as unknown as ProbedWindow).probes = {
    whenPainted,
    firstRowAt: whenPainted(isFirstRow),
    longTasks,
  };
}
