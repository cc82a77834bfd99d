import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { endpointPath } from '../../model/router.ts';
import { Snippets } from './snippets.tsx';

/** Shows how to send the first event to an endpoint. */
export function FirstEvent({ endpoint }: { endpoint: EndpointAnswer }) {
  if (!endpoint.is_active) {
    return (
      <div class="first">
        <h2>The endpoint is paused</h2>
        <p class="muted">
          It answers 404 and keeps nothing.{' '}
          <a href={endpointPath(endpoint.id, 'settings')}>Resume it in its settings</a>
        </p>
      </div>
    );
  }
  return (
    <div class="first">
      <h2>
        <span class="pulse" aria-hidden="true" /> Waiting for the first event
      </h2>
      <p class="muted">
        Every request to the capture URL shows up here at once. Send a test event, or one of your
        own:
      </p>
      <Snippets url={endpoint.capture_url} />
    </div>
  );
}
