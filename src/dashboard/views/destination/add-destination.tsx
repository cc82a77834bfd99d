import { useState } from 'preact/hooks';
import type { DestinationAnswer } from '../../../api/destinations/destination-answer.ts';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { weaknessOf } from '../../../core/text/weak-secret.ts';
import { session, tell } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { useAttempt } from '../../parts/form/use-attempt.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { isSameUrl } from './destination-form.ts';
import { SaveFault } from './save-fault.tsx';
import { SecretField } from './secret-field.tsx';
import { UrlField } from './url-field.tsx';

interface AddDestinationProps {
  endpoint: EndpointAnswer;
  list: readonly DestinationAnswer[];
  onAdded(): void;
}

/**
 * Adds a destination. Asks first if the secret is weak, or if another destination has the same URL.
 */
export function AddDestination({ endpoint, list, onAdded }: AddDestinationProps) {
  const [url, setUrl] = useState('');
  const [secret, setSecret] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { isBusy, error, attempt } = useAttempt();
  const twin = list.find((one) => isSameUrl(one.url, url));
  const weakness = weaknessOf(secret);
  const add = () =>
    attempt(async () => {
      await session.call('POST /api/endpoints/{id}/destinations', {
        params: { id: endpoint.id },
        body: { url, secret: secret || undefined },
      });
      tell('The destination is added');
      setMade(secret === '' ? null : secret);
      setUrl('');
      setSecret('');
      onAdded();
    });
  const submit = async (event: Event) => {
    event.preventDefault();
    if (weakness !== null || twin) setAsking(true);
    else await add();
  };
  return (
    <section aria-label="Add a destination">
      <form class="add-destination" onSubmit={submit}>
        <UrlField
          label="URL of the destination"
          error={error}
          twin={twin}
          value={url}
          onText={setUrl}
        />
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
        <FormDialog
          title="Add it all the same?"
          action="Add it"
          onSubmit={add}
          onClose={() => setAsking(false)}
        >
          {weakness !== null && <p>The secret {weakness}.</p>}
          {twin && (
            <p>
              <Foreign text={twin.name ?? twin.url} /> has the same URL, so it gets each event
              twice.
            </p>
          )}
        </FormDialog>
      )}
    </section>
  );
}
