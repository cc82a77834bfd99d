import type { ComponentType } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { EndpointAnswer, EndpointChoice } from '../../../api/endpoints/endpoint-answer.ts';
import { loadEndpoints } from '../../model/page.ts';
import { DedupeSettings } from '../proof/dedupe-settings.tsx';
import { SourceSettings } from '../proof/source-settings.tsx';
import { Answer } from './answer.tsx';
import { DeleteEndpoint } from './delete-endpoint.tsx';
import { Expectation, Retention } from './duration-settings.tsx';
import { EndpointName } from './endpoint-name.tsx';
import { OnUnjudged } from './on-unjudged.tsx';
import { Pause } from './pause.tsx';

/** The section of each setting, in order. */
const SECTIONS: Readonly<Record<EndpointChoice, ComponentType<{ endpoint: EndpointAnswer }>>> = {
  name: EndpointName,
  is_active: Pause,
  source: SourceSettings,
  dedupe: DedupeSettings,
  on_unjudged: OnUnjudged,
  expect_every: Expectation,
  retention: Retention,
  response: Answer,
};

interface EndpointSettingsProps {
  endpoint: EndpointAnswer;
  /** Whether the address selects the section of the source. */
  isSource: boolean;
}

/** The settings of an endpoint, one section per setting. */
export function EndpointSettings({ endpoint, isSource }: EndpointSettingsProps) {
  // Events since the last load may have revealed the provider.
  useEffect(() => void loadEndpoints().catch(() => undefined), [endpoint.id]);
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isSource) page.current?.querySelector('.source-settings')?.scrollIntoView();
  }, [isSource, endpoint.id]);
  return (
    <div class="page-body narrow" key={endpoint.id} ref={page}>
      {Object.entries(SECTIONS).map(([name, Section]) => (
        <Section key={name} endpoint={endpoint} />
      ))}
      <DeleteEndpoint endpoint={endpoint} />
    </div>
  );
}
