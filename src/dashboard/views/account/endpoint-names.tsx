import { Fragment } from 'preact';
import { endpoints } from '../../model/page.ts';
import { Foreign } from '../../parts/foreign.tsx';

/** Shows the endpoints that a token or a channel is limited to; null means all endpoints. */
export function EndpointNames({ ids }: { ids: readonly string[] | null }) {
  if (ids === null) return <>all endpoints</>;
  if (ids.length === 0) return <>no endpoint</>;
  const all = endpoints.value ?? [];
  return (
    <>
      {ids.map((id, i) => (
        <Fragment key={id}>
          {i > 0 && ', '}
          <Foreign text={all.find((one) => one.id === id)?.name ?? id} />
        </Fragment>
      ))}
    </>
  );
}
