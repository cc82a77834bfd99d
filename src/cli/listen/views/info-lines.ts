import { displayWidth, padToWidth } from '../../terminal/display-width.ts';
import { dim, printable } from '../../terminal/output.ts';
import type { ListenInfo } from './listen-view.ts';

const LISTED_ENDPOINTS = 4;

export function infoLines({ server, endpoints, target, rules }: ListenInfo): string[] {
  const listed = endpoints.slice(0, LISTED_ENDPOINTS);
  const width = Math.max(0, ...listed.map(({ name }) => displayWidth(printable(name))));
  const lines = listed.map((endpoint) => {
    const paused = endpoint.is_active ? '' : dim(' (paused)');
    return `${padToWidth(printable(endpoint.name), width, 'right')}  ${printable(endpoint.capture_url)}${paused}`;
  });
  const more = endpoints.length - listed.length;
  if (more > 0) lines.push(dim(`and ${more} more endpoints at ${server}`));
  for (const rule of rules) {
    lines.push(
      `→ ${printable(rule.target)}  ${dim(`where ${printable(rule.text.replace(/^where /, ''))}`)}`,
    );
  }
  if (target !== null) {
    lines.push(`→ ${printable(target)}${rules.length > 0 ? dim('  the rest') : ''}`);
  }
  return lines;
}

export function hasSeveralTargets({ target, rules }: ListenInfo): boolean {
  return (
    new Set([...rules.map((rule) => rule.target), ...(target === null ? [] : [target])]).size > 1
  );
}
