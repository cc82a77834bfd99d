import { githubSamples } from './github/samples.ts';
import { gitlabSamples } from './gitlab/samples.ts';
import type { Sample } from './sampling/sample.ts';
import { sendgridSamples } from './sendgrid/samples.ts';
import { shopifySamples } from './shopify/samples.ts';
import { slackSamples } from './slack/samples.ts';
import { standardSamples } from './standard-webhooks/samples.ts';
import { stripeSamples } from './stripe/samples.ts';
import { twilioSamples } from './twilio/samples.ts';

/** Every sample, in the order that users see. */
export const SAMPLES: readonly Sample[] = [
  ...githubSamples,
  ...stripeSamples,
  ...shopifySamples,
  ...slackSamples,
  ...gitlabSamples,
  ...twilioSamples,
  ...sendgridSamples,
  ...standardSamples,
];
