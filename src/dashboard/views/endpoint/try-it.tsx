import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import type { SampleAnswer } from '../../../api/sources/sample-answer.ts';
import { loadSamples, sendTestEvent, tell } from '../../model/page.ts';
import { eventPath, navigate } from '../../model/router.ts';
import { useAct } from '../../parts/form/use-act.ts';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { Problem } from '../../parts/problem.tsx';
import { Snippets } from './snippets.tsx';

/** Shows how to send an event from a terminal, from code, or as a provider's sample. */
export function TryIt({ endpoint }: { endpoint: EndpointAnswer }) {
  const { value: samples, error, reload } = useLoaded('samples', loadSamples);
  return (
    <div class="page-body">
      <section>
        <h2>From a terminal or from code</h2>
        <Snippets url={endpoint.capture_url} />
      </section>
      <section>
        <h2>Test events</h2>
        <p class="muted">
          Samples of well-known providers, with their signatures. They are captured and delivered
          like any event.
        </p>
        {!endpoint.is_active && <p>The endpoint is paused, so it takes none.</p>}
        {error && <Problem error={error} retry={reload} />}
        <ul class="samples">
          {samples?.map((sample) => (
            <Row key={sample.name} endpoint={endpoint} sample={sample} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Row({ endpoint, sample }: { endpoint: EndpointAnswer; sample: SampleAnswer }) {
  const { name, description, signature_header, test_secret } = sample;
  const [isBusy, run] = useAct();
  const send = () =>
    run(async () => {
      const eventId = await sendTestEvent(endpoint.id, name);
      tell(`${name} was sent`);
      navigate(eventPath(endpoint.id, eventId));
    });
  return (
    <li>
      <div>
        <p class="mono wrap">{name}</p>
        <p class="muted">
          {description}
          {signature_header && (
            <>
              , signed in <span class="mono wrap">{signature_header}</span> by{' '}
              <span class="mono wrap">{test_secret}</span>
            </>
          )}
        </p>
      </div>
      <button
        type="button"
        onClick={send}
        disabled={isBusy || !endpoint.is_active}
        aria-busy={isBusy}
        aria-label={`Send ${name}`}
      >
        Send
      </button>
    </li>
  );
}
