import { useRef, useState } from 'preact/hooks';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { weaknessOf } from '../../../core/text/weak-secret.ts';
import { type ApiError, asApiError } from '../../model/api-error.ts';
import { session, tell } from '../../model/page.ts';
import { Ask } from '../../parts/ask.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Field } from '../../parts/form/field.tsx';
import { useAction } from '../../parts/form/use-action.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { isSameUrl } from './destination-form.ts';
import { SaveFault } from './save-fault.tsx';
import { SecretField } from './secret-field.tsx';

interface AddDestinationProps {
  endpoint: EndpointAnswer;
  /** The destinations that there are. */
  list: readonly DestinationAnswer[];
  onAdded(): void;
}

/** Adds a destination. A weak secret and a URL that is there already are asked about. */
export function AddDestination({ endpoint, list, onAdded }: AddDestinationProps) {
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isBusy, once] = useAction();
  const form = useRef<HTMLFormElement>(null);
  const other = list.find((one) => isSameUrl(one.url, url));
  const weakness = weaknessOf(secret);
  const add = () =>
    once(async () => {
      try {
        await session.call('POST /api/endpoints/{id}/destinations', {
          params: { id: endpoint.id },
          body: { url, secret: secret || undefined },
        });
      } catch (failed) {
        setError(asApiError(failed));
        return;
      }
      setError(null);
      tell('The destination is added');
      setMade(secret === '' ? null : secret);
      setUrl('');
      setSecret('');
      onAdded();
    });
  const submit = async (event: Event) => {
    event.preventDefault();
    if (weakness !== null || other) setAsking(true);
    else await add();
  };
  return (
    <section aria-label="Add a destination">
      <form class="add-destination" onSubmit={submit} ref={form}>
        <Field label="URL of the destination" name="url" error={error}>
          {(control) => (
            <>
              <input
                {...control}
                type="url"
                required
                placeholder="https://example.com/webhooks"
                value={url}
                onInput={(event) => setUrl(event.currentTarget.value)}
              />
              <span role="status">
                {other && (
                  <p class="weak">
                    <Foreign text={other.name ?? 'Another destination'} /> has this URL already, so
                    it would get each event twice.
                  </p>
                )}
              </span>
            </>
          )}
        </Field>
        <SecretField
          label="Signing secret, if any"
          value={secret}
          error={error}
          placeholder="none: deliveries aren’t signed"
          onChange={setSecret}
        />
        <button type="submit" class="primary" disabled={isBusy} aria-busy={isBusy}>
          Add
        </button>
      </form>
      <SaveFault error={error} what="Couldn’t add the destination" fields={['url', 'secret']} />
      {made !== null && <SecretOnce secret={made} />}
      {isAsking && (
        <Ask
          title="Add it all the same?"
          action="Add it"
          onConfirm={add}
          onClose={() => setAsking(false)}
        >
          {weakness !== null && <p>The secret {weakness}.</p>}
          {other && (
            <p>
              <Foreign text={other.name ?? other.url} /> has the same URL, so it gets each event
              twice.
            </p>
          )}
        </Ask>
      )}
    </section>
  );
}
