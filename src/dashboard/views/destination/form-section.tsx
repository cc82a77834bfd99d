import type { ComponentChildren } from 'preact';

const SECTIONS = [
  ['address', 'Address'],
  ['filter', 'Filter'],
  ['flow', 'Flow'],
  ['headers', 'Headers'],
  ['signing', 'Signing'],
] as const;

/** Leads to the sections of the form. */
export function SectionLinks() {
  return (
    <nav class="section-links" aria-label="Settings of the destination">
      {SECTIONS.map(([id, title]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

interface FormSectionProps {
  id: (typeof SECTIONS)[number][0];
  title: string;
  note?: string;
  children: ComponentChildren;
}

export function FormSection({ id, title, note, children }: FormSectionProps) {
  return (
    <section class="form-section" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {note !== undefined && <p class="muted">{note}</p>}
      <div class="form-fields">{children}</div>
    </section>
  );
}
