import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import {
  channelPatchSchema,
  channelSchema,
  newChannelSchema,
  testedSchema,
} from './channel-schema.ts';

const read = { tag: 'channels', access: 'account', scope: 'read' } as const;
const write = { tag: 'channels', access: 'account', scope: 'write' } as const;

export const CHANNEL_CALLS = {
  'GET /api/channels': {
    ...read,
    summary: 'List the account’s channels, newest first',
    response: v.array(channelSchema),
  },
  'POST /api/channels': {
    ...write,
    summary: 'Add a channel; an email address must be confirmed first',
    audit: 'channel.create',
    body: newChannelSchema,
    status: 201,
    response: channelSchema,
  },
  'GET /api/channels/{channelId}': {
    ...read,
    summary: 'Get a channel, with its newest message',
    response: channelSchema,
  },
  'PATCH /api/channels/{channelId}': {
    ...write,
    summary: 'Change a channel; a new email address must be confirmed first',
    audit: 'channel.update',
    body: channelPatchSchema,
    response: channelSchema,
  },
  'DELETE /api/channels/{channelId}': {
    ...write,
    summary: 'Remove a channel; messages on their way to it are dropped',
    audit: 'channel.delete',
    status: 204,
  },
  'POST /api/channels/{channelId}/test': {
    ...write,
    summary: 'Send a test message; at most 5 an hour for an account',
    audit: 'channel.test',
    status: 202,
    response: testedSchema,
  },
} as const satisfies Calls;
