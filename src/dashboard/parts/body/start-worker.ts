import textWorker from './text-worker.ts?worker&url';

/** The part of the browser's trusted types that is used. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

/**
 * The page's only policy, by the name that the server's header permits. It lets the page's
 * own worker start, and nothing more: no other text becomes a script's address.
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

/** Starts the worker for long texts. Throws where the browser has none. */
export const startTextWorker = (): Worker =>
  new Worker(policy?.createScriptURL(textWorker) ?? textWorker);
