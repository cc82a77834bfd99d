import type { EndpointAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { overview } from '../../model/overview.ts';
import { Problem } from '../../parts/problem.tsx';
import { NewEndpointButton } from '../shell/new-endpoint-button.tsx';
import { ViewHead } from '../shell/view-head.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { NoEndpoint } from './overview.tsx';
import { RangeChoice } from './range-choice.tsx';
import '../../styles/overview.css';

/** Shows all endpoints, and how much each received. */
export function Endpoints({ list }: { list: readonly EndpointAnswer[] }) {
  const { value, error } = overview.value;
  return (
    <div class="view">
      <ViewHead
        title="Endpoints"
        what={list.length > 0 && counted(list.length, 'endpoint')}
        actions={
          list.length > 0 && (
            <>
              <RangeChoice />
              <NewEndpointButton />
            </>
          )
        }
      />
      <div class="view-body">
        {error && <Problem error={error} />}
        {list.length === 0 ? <NoEndpoint /> : <EndpointTable list={list} overview={value} />}
      </div>
    </div>
  );
}
