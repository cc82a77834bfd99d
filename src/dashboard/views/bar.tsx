import type { Connection, LiveStream } from '../model/live-stream.ts';
import { endpoints, live, session } from '../model/page.ts';
import { navigate, place, viewOf } from '../model/router.ts';
import { nextTheme, theme } from '../model/theme.ts';
import { OpenIssues } from './issues/open-issues.tsx';

const CONNECTION_TEXT: Record<Connection, string> = {
  connecting: 'connecting',
  live: 'live',
  offline: 'reconnecting',
  closed: 'signed out',
};

const THEME_MARKS = { system: '◐', light: '☀', dark: '☾' };

interface BarProps {
  onHelp(): void;
}

export function Bar({ onHelp }: BarProps) {
  const state = session.state.value;
  const stream = live.value;
  const chosen = theme.value;
  return (
    <header class="bar">
      <a class="brand" href="/endpoints">
        hookrelay
      </a>
      {state.kind === 'signed-in' && <EndpointPicker />}
      <span class="fill" />
      {state.kind === 'signed-in' && <OpenIssues />}
      {stream && <ConnectionMark stream={stream} />}
      <button
        type="button"
        class="quiet"
        onClick={nextTheme}
        title={`Theme: ${chosen} (t)`}
        aria-label={`Theme: ${chosen}. Change`}
      >
        {THEME_MARKS[chosen]}
      </button>
      <button
        type="button"
        class="quiet"
        onClick={onHelp}
        title="Shortcuts (?)"
        aria-label="Keyboard shortcuts"
      >
        ?
      </button>
      {state.kind === 'signed-in' && (
        <a class="who" href="/account" title="Account">
          <span class="who-long">{state.user.email}</span>
          <span class="who-short" aria-hidden="true">
            {state.user.email[0]?.toUpperCase()}
          </span>
        </a>
      )}
    </header>
  );
}

function EndpointPicker() {
  const list = endpoints.value;
  const view = viewOf(place.value);
  const current = 'endpointId' in view ? view.endpointId : '';
  if (!list || list.length === 0) return null;
  return (
    <select
      class="picker"
      aria-label="Endpoint"
      value={current}
      onChange={(event) => {
        const id = event.currentTarget.value;
        navigate(id === '' ? '/endpoints' : `/endpoints/${id}`);
      }}
    >
      <option value="">All endpoints</option>
      {list.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function ConnectionMark({ stream }: { stream: LiveStream }) {
  const connection = stream.connection.value;
  return (
    <span class={`connection is-${connection}`} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="connection-word">{CONNECTION_TEXT[connection]}</span>
    </span>
  );
}
