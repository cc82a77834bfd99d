import type { ComponentChildren } from 'preact';

const SECTIONS = {
  address: {
    title: 'Address',
    note: 'What waits goes to the new address, with the new settings.',
  },
  filter: { title: 'Filter', note: 'Events that don’t fit are kept, and not delivered here.' },
  flow: { title: 'Flow', note: 'When attempts start, and what follows a failed one.' },
  headers: {
    title: 'Headers',
    note: 'Each attempt sends them. Values are secret, and never shown again.',
  },
  signing: { title: 'Signing', note: null },
};

export function SectionLinks() {
  return (
    <nav class="section-links" aria-label="Settings of the destination">
      {Object.entries(SECTIONS).map(([id, { title }]) => (
        <a key={id} href={`#${id}`}>
          {title}
        </a>
      ))}
    </nav>
  );
}

interface FormSectionProps {
  id: keyof typeof SECTIONS;
  children: ComponentChildren;
}

export function FormSection({ id, children }: FormSectionProps) {
  const { title, note } = SECTIONS[id];
  return (
    <section class="form-section" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {note !== null && <p class="muted">{note}</p>}
      <div class="form-fields">{children}</div>
    </section>
  );
}
