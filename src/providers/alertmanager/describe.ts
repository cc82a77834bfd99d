import { counted, listed, opt } from '../../core/text/words.ts';
import { type Describe, sentences } from '../describing/describe.ts';

/** Prometheus' Alertmanager and Grafana send the same shape. */
export const describeAlerts: Describe = ({ facts }) => {
  const alerts = facts.items('alerts', 100);
  if (alerts.length === 0) return [];
  const names = [...new Set(alerts.flatMap((alert) => alert.text('labels.alertname') ?? []))];
  return sentences(
    `${counted(facts.count('alerts'), 'alert')} ${facts.count('alerts') === 1 ? 'is' : 'are'} ${facts.text('status') ?? 'changed'}: ${listed(names)}.`,
    opt`The first says ${alerts[0]?.quote('annotations.summary', 160) ?? alerts[0]?.quote('annotations.description', 160)}${opt`, since ${alerts[0]?.time('startsAt') ?? null}`}.`,
    opt`They go to the receiver ${facts.text('receiver')}.`,
  );
};
