import { useState } from 'preact/hooks';
import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { destinationsOf, loadEndpoints, session, tell } from '../../model/page.ts';
import { navigate } from '../../model/router.ts';
import { Foreign } from '../../parts/foreign.tsx';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { PLAIN } from '../../parts/form/text-field.tsx';
import { useLoaded } from '../../parts/hooks/use-loaded.ts';
import { foreignParts, isolated } from '../../text/foreign-text.ts';

export function DeleteEndpoint({ endpoint }: { endpoint: EndpointAnswer }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section class="danger">
      <h2>Delete</h2>
      <p>
        Its events and deliveries go with it, for good, and its capture URL answers 404. To stop
        capturing for a while, pause it.
      </p>
      <button type="button" class="destructive" onClick={() => setAsking(true)}>
        Delete the endpoint …
      </button>
      {isAsking && <DeleteDialog endpoint={endpoint} onClose={() => setAsking(false)} />}
    </section>
  );
}

interface DeleteDialogProps {
  endpoint: EndpointAnswer;
  onClose(): void;
}

/** Shows how much is deleted with the endpoint, and asks the user to type the endpoint's name. */
function DeleteDialog({ endpoint: { id, name }, onClose }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const { value: losses, error } = useLoaded(id, (signal) => lossesOf(id, signal));
  // Nobody can type hidden characters, so the name with escapes is accepted too.
  const shown = foreignParts(name)
    .map(({ text }) => text)
    .join('');
  const remove = async () => {
    await session.call('DELETE /api/endpoints/{id}', { params: { id } });
    await loadEndpoints();
    navigate('/endpoints');
    tell(`${name} is deleted`);
  };
  return (
    <FormDialog
      title={`Delete ${name}`}
      action="Delete for good"
      danger
      disabled={typed !== name && typed !== shown}
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        This deletes{' '}
        {losses ? (
          <strong>{losses.join(', ')}</strong>
        ) : error ? (
          'its events, deliveries and destinations'
        ) : (
          '…'
        )}
        , for good. Its capture URL answers 404, also to senders that try again.
      </p>
      <label>
        <span>
          Type{' '}
          <strong>
            <Foreign text={name} />
          </strong>{' '}
          to confirm
        </span>
        <input
          aria-label={`Type ${isolated(name)} to confirm`}
          value={typed}
          {...PLAIN}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
    </FormDialog>
  );
}

async function lossesOf(id: string, signal: AbortSignal): Promise<string[]> {
  const params = { id };
  const [events, open, destinations] = await Promise.all([
    session.call('GET /api/endpoints/{id}/events', {
      params,
      query: { view: 'summary', limit: 1 },
      signal,
    }),
    session.call('GET /api/endpoints/{id}/deliveries', {
      params,
      query: { state: 'pending', limit: 1 },
      signal,
    }),
    destinationsOf(id),
  ]);
  return [
    counted(events.total, 'event'),
    counted(open.total, 'open delivery', 'open deliveries'),
    counted(destinations.length, 'destination'),
  ];
}
