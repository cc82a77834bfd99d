import type { ApiError } from '../model/api-error.ts';
import { Foreign } from './foreign.tsx';

/** Shows a hint. A command looks like code. */
export function Hint({ text }: { text: string }) {
  return /^hookrelay /.test(text) ? <code>{text}</code> : <Foreign text={text} kept={'\n'} />;
}

/** Shows an error with its hint. Lists all issues, because the message names only the first. */
export function Problem({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div class="problem" role="alert">
      {error.issues.length > 1 ? (
        <ul>
          {error.issues.map(({ path, message }, i) => (
            <li key={i}>
              <strong>
                <Foreign text={path === '' ? message : `${path}: ${message}`} />
              </strong>
            </li>
          ))}
        </ul>
      ) : (
        <p>
          <strong>
            <Foreign text={error.message} />
          </strong>
        </p>
      )}
      {error.hint && (
        <p>
          <Hint text={error.hint} />
        </p>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
