import type { ComponentChildren } from 'preact';

interface FactsProps {
  class: string;
  of: readonly (readonly [name: string, says: ComponentChildren, title?: string])[];
}

export function Facts({ class: look, of }: FactsProps) {
  return (
    <dl class={look}>
      {of.map(([name, says, title]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={title}>{says}</dd>
        </div>
      ))}
    </dl>
  );
}
