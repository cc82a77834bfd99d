const PATIENCE_MS = 500;
const FRAME_MS = 120;
const FRAMES = ['|', '/', '-', '\\'];
const CLEAR_LINE = '\r\x1b[K';

/** @param label must have no control characters */
export async function showProgress<T>(label: string, work: Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY || process.env.TERM === 'dumb') return work;
  const started = performance.now();
  let frame = 0;
  let shown = false;
  const timer = setInterval(() => {
    const waited = performance.now() - started;
    if (waited < PATIENCE_MS) return;
    shown = true;
    const text = `${FRAMES[frame++ % FRAMES.length]} ${label} ${Math.floor(waited / 1000)} s`;
    // Cut the text, because a wrapped line can't be cleared.
    stderr.write(CLEAR_LINE + text.slice(0, (stderr.columns || 80) - 1));
  }, FRAME_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (shown) stderr.write(CLEAR_LINE);
  }
}
