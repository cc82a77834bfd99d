import type { Endpoint } from '../../../api/answers/endpoint.ts';
import { act, loadSamples, sendTestEvent, tell } from '../../model/page.ts';
import { eventPath, navigate } from '../../model/router.ts';
import { CodeChoice } from '../../parts/code-choice.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { snippets } from '../../text/snippets.ts';

export function Snippets({ url }: { url: string }) {
  return <CodeChoice choices={snippets(url)} label={(name) => `${name} example`} />;
}

/** Ways to send an event: from a terminal, from code, or as a provider's sample. */
export function TryIt({ endpoint }: { endpoint: Endpoint }) {
  const { value: samples, error } = useLoaded('samples', loadSamples);
  const send = (sample: string) =>
    act(async () => {
      const eventId = await sendTestEvent(endpoint.id, sample);
      tell(`${sample} was sent`);
      navigate(eventPath(endpoint.id, eventId));
    });
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
        {error && <Problem error={error} />}
        <div class="table-box">
          <table>
            <thead>
              <tr>
                <th>Sample</th>
                <th>What it is</th>
                <th class="wide">Signature</th>
                <th class="wide">Test secret</th>
                <th>
                  <span class="off-screen">Send</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {samples?.map((sample) => (
                <tr key={sample.name}>
                  <td class="mono">{sample.name}</td>
                  <td>{sample.description}</td>
                  <td class="mono wide cut">{sample.signature_header}</td>
                  <td class="mono wide cut">{sample.test_secret}</td>
                  <td class="right">
                    <button
                      type="button"
                      onClick={() => send(sample.name)}
                      disabled={!endpoint.is_active}
                      aria-label={`Send ${sample.name}`}
                    >
                      Send
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}
