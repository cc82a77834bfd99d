import textWorker from './text-worker.ts?worker&url';

/** The part of the browser's trusted types that this file uses. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/**
 * The page's only trusted-types policy. The server's content security policy allows it by its name.
 * It lets the page start its own worker, and no other script.
 */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'hookrelay-worker',
  {
    createScriptURL(url) {
      if (url !== textWorker) throw new TypeError('not a worker of this page');
      return url;
    },
  },
);

/** Starts the worker for long texts. Throws if the browser refuses. */
export const startTextWorker = (): Worker =>
  new Worker(policy?.createScriptURL(textWorker) ?? textWorker);
