import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { DurationSetting } from './duration-setting.tsx';

/** How long events are kept. */
export function Retention({ endpoint: { id, retention } }: { endpoint: EndpointAnswer }) {
  return (
    <DurationSetting
      endpointId={id}
      title="Retention"
      name="retention"
      value={retention}
      label="Keep events for"
      note="From 1m to 3650d, such as 30d. Older events are deleted with their deliveries. Empty: as long as the server keeps them."
      none="as long as the server keeps them"
      action="Set the retention"
      done={{ set: 'The retention is set', none: 'The server’s retention counts' }}
    />
  );
}
