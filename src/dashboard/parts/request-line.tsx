import { formatSize } from '../../core/text/size.ts';
import { Foreign } from './foreign.tsx';
import { Time } from './time.tsx';

interface RequestLineProps {
  method: string;
  path: string;
  query?: string;
}

export function RequestLine({ method, path, query = '' }: RequestLineProps) {
  return (
    <>
      <Foreign class={`method is-${method.toLowerCase()}`} text={method} />{' '}
      <Foreign class="mono" text={(path || '/') + (query && `?${query}`)} />
    </>
  );
}

interface RequestFactsProps {
  received_at: string;
  size: number;
  content_type: string | null;
  source_ip: string;
}

export function RequestFacts({ received_at, size, content_type, source_ip }: RequestFactsProps) {
  return (
    <p class="muted wrap">
      <Time at={received_at} exact /> · {formatSize(size)}
      {content_type !== null && (
        <>
          {' · '}
          <Foreign text={content_type} />
        </>
      )}{' '}
      · from {source_ip}
    </p>
  );
}
