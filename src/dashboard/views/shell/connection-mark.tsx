import type { ConnectionState, LiveClient } from '../../model/live-client.ts';

const CONNECTION_TEXT: Record<ConnectionState, string> = {
  connecting: 'connecting',
  live: 'live',
  offline: 'reconnecting',
  closed: 'signed out',
};

/** Shows whether the page receives news. */
export function ConnectionMark({ stream }: { stream: LiveClient }) {
  const connection = stream.connection.value;
  return (
    <span class={`connection is-${connection}`} role="status" title={CONNECTION_TEXT[connection]}>
      <span class="dot" aria-hidden="true" />
      <span class="connection-word">{CONNECTION_TEXT[connection]}</span>
    </span>
  );
}
