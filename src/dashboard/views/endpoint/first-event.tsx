import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { Snippets } from './try-it.tsx';

/** The view of an empty endpoint: ways to send the first event. */
export function FirstEvent({ endpoint }: { endpoint: Endpoint }) {
  return (
    <div class="first">
      <h2>
        <span class="pulse" aria-hidden="true" /> Waiting for the first event
      </h2>
      <p class="muted">
        Every request to the capture URL shows up here at once. Press “Send a test event”, or send
        one yourself:
      </p>
      <Snippets url={endpoint.capture_url} />
    </div>
  );
}
