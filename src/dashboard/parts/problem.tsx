import type { ApiError } from '../model/api-error.ts';

/** An error with its hint. */
export function Problem({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{error.message}</strong>
      </p>
      {error.hint && (
        <p>{/^hookrelay /.test(error.hint) ? <code>{error.hint}</code> : error.hint}</p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
