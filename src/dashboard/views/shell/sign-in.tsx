import { useState } from 'preact/hooks';
import { session } from '../../model/page.ts';
import { navigate } from '../../model/router.ts';
import type { Doorstep } from '../../model/session.ts';
import { TextField } from '../../parts/form/text-field.tsx';
import { useAttempt } from '../../parts/form/use-attempt.ts';
import { Problem } from '../../parts/problem.tsx';
import { isAtFields } from '../../text/field-faults.ts';

/**
 * The token from the link that `serve` prints. It is removed from the address, because the
 * browser's history keeps addresses.
 */
const setupToken = ((): string | null => {
  if (location.pathname !== '/setup' || location.hash.length < 2) return null;
  const token = location.hash.slice(1);
  history.replaceState(null, '', '/setup');
  return token;
})();

export function SignIn({ doorstep }: { doorstep: Doorstep }) {
  const isFirst = doorstep.first_account;
  const canRegister = doorstep.registration === 'open' || (isFirst && setupToken !== null);
  const [mode, setMode] = useState<'login' | 'register'>(isFirst ? 'register' : 'login');
  if (isFirst && !canRegister) return <NeedsLink />;
  const isNew = mode === 'register';
  return (
    <div class="door">
      <h1>{isFirst ? 'Create the first account' : isNew ? 'Create an account' : 'Sign in'}</h1>
      {isFirst && (
        <p class="muted">
          This server is new. Your account comes with an endpoint that is ready to receive.
        </p>
      )}
      <Credentials mode={mode} />
      {!isFirst && canRegister && (
        <p class="muted">
          {isNew ? 'You have an account?' : 'New here?'}{' '}
          <button type="button" class="link" onClick={() => setMode(isNew ? 'login' : 'register')}>
            {isNew ? 'Sign in' : 'Create an account'}
          </button>
        </p>
      )}
    </div>
  );
}

function Credentials({ mode }: { mode: 'login' | 'register' }) {
  const { isBusy, error, attempt } = useAttempt();
  const isNew = mode === 'register';
  const submit = (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const email = String(form.get('email'));
    const password = String(form.get('password'));
    return attempt(async () => {
      if (isNew) {
        const endpointId = await session.register(email, password, setupToken);
        navigate(`/endpoints/${endpointId}`, { replace: true });
      } else {
        await session.login(email, password);
      }
    });
  };
  return (
    // The server validates the fields, so all forms get the same messages.
    <form onSubmit={submit} noValidate>
      <TextField
        label="Email"
        name="email"
        error={error}
        type="email"
        autocomplete="username"
        required
        autoFocus
      />
      <TextField
        label="Password"
        name="password"
        error={error}
        note={isNew ? 'At least 8 characters.' : undefined}
        type="password"
        required
        autocomplete={isNew ? 'new-password' : 'current-password'}
      />
      {error && !isAtFields(error, ['email', 'password']) && <Problem error={error} />}
      <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
        {isNew ? 'Create account' : 'Sign in'}
      </button>
    </form>
  );
}

function NeedsLink() {
  return (
    <div class="door">
      <h1>This server is new</h1>
      <p>
        Registration is closed, so its first account is created by the link that{' '}
        <code>hookrelay serve</code> printed when it started:
      </p>
      <pre class="plain">
        hookrelay has no account yet: create the first one at {location.origin}/setup#…
      </pre>
      <p>Or on the machine itself:</p>
      <pre class="plain">hookrelay users create --email you@example.com</pre>
    </div>
  );
}
