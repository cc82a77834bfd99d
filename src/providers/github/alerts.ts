import { opt } from '../../core/text/words.ts';
import type { PayloadReader } from '../describing/payload-reader.ts';
import type { Subject } from './subject.ts';

const severity = (path: string) => (facts: PayloadReader) =>
  opt`Its severity is ${facts.text(path)}.`;

/** Events about vulnerabilities and leaked secrets. */
export const GITHUB_ALERTS: Record<string, Subject> = {
  code_scanning_alert: {
    noun: 'the code scanning alert',
    number: 'alert.number',
    title: ['alert.rule.description', 'alert.rule.name', 'alert.rule.id'],
    more: (facts) =>
      opt`It is ${facts.text('alert.state')}${opt`, found by ${facts.text('alert.tool.name')}`}${opt`, of severity ${facts.text('alert.rule.severity')}`}${opt`, on ${facts.text('ref')}`}.`,
  },
  dependabot_alert: {
    noun: 'the Dependabot alert',
    number: 'alert.number',
    title: ['alert.security_advisory.summary'],
    more: (facts) =>
      opt`It concerns the package ${facts.text('alert.dependency.package.name')}${opt`, severity ${facts.text('alert.security_advisory.severity')}`}${opt`, ${facts.text('alert.security_advisory.ghsa_id')}`}.`,
  },
  repository_advisory: {
    noun: 'the security advisory',
    name: ['repository_advisory.ghsa_id'],
    title: ['repository_advisory.summary'],
    more: severity('repository_advisory.severity'),
  },
  repository_vulnerability_alert: {
    noun: 'the vulnerability alert',
    number: 'alert.number',
    name: ['alert.external_identifier', 'alert.ghsa_id'],
    more: (facts) =>
      opt`It concerns the package ${facts.text('alert.affected_package_name')} ${facts.text('alert.affected_range')}${opt`, severity ${facts.text('alert.severity')}`}${opt`, fixed in ${facts.text('alert.fixed_in')}`}.`,
  },
  secret_scanning_alert: {
    noun: 'the secret scanning alert',
    number: 'alert.number',
    title: ['alert.secret_type_display_name', 'alert.secret_type'],
    more: (facts) => opt`It was resolved as ${facts.text('alert.resolution')}.`,
  },
  security_advisory: {
    noun: 'the security advisory',
    name: ['security_advisory.ghsa_id'],
    title: ['security_advisory.summary'],
    more: severity('security_advisory.severity'),
  },
};
