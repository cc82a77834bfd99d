import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { DurationSetting } from './duration-setting.tsx';

/** How often events are expected: an issue opens when the endpoint is silent for longer. */
export function Expectation({ endpoint: { id, expect_every } }: { endpoint: EndpointAnswer }) {
  return (
    <DurationSetting
      endpointId={id}
      title="Silence"
      name="expect_every"
      value={expect_every}
      label="Expect an event every"
      note="From 1s to 365d, such as 15m. An issue opens when no event comes for longer. Empty: it may be silent."
      none="it may be silent"
      action="Set the expectation"
      done={{ set: 'Its silence is an issue now', none: 'It may be silent' }}
    />
  );
}
