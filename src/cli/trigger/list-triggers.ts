import { PROVIDERS } from '../../providers/providers.ts';
import { SAMPLES } from '../../providers/samples.ts';
import { STAMPS } from '../../providers/stamps.ts';
import type { Output } from '../terminal/output.ts';
import { canSignAs } from './sign-as.ts';

interface ListedTrigger {
  name: string;
  description: string;
  signature_header: string;
  /** URL of the provider's documentation of the sample; null without a sample. */
  source: string | null;
}

export function listTriggers(out: Output): void {
  const samples = SAMPLES.map(({ name, description, source, signature }) => ({
    ...{ name, description, signature_header: signature.header, source },
  }));
  const others = withoutSamples();
  if (out.asJson([...samples, ...others])) return;
  out.rows(
    samples,
    [
      { title: 'name', value: ({ name }) => name },
      { title: 'description', value: ({ description }) => description, elastic: true },
      { title: 'signature', value: ({ signature_header }) => signature_header, optional: true },
    ],
    '',
  );
  out.line('');
  out.rows(
    others,
    [
      { title: 'signs your own body', value: ({ name }) => name },
      { title: 'signature', value: ({ signature_header }) => signature_header, elastic: true },
    ],
    '',
  );
}

function withoutSamples(): ListedTrigger[] {
  return PROVIDERS.filter(({ name }) => canSignAs(name))
    .map(({ name, signature }) => ({
      name,
      description: 'a body of yours (--body, --body-file), or a minimal one',
      signature_header: signature?.header ?? STAMPS.get(name)?.place ?? '',
      source: null,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
