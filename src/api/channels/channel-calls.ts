import * as v from 'valibot';
import type { Calls } from '../contract.ts';
import {
  channelPatchSchema,
  channelSchema,
  newChannelSchema,
  testedSchema,
} from './channel-schema.ts';

export const CHANNEL_CALLS = {
  'GET /api/channels': {
    summary: 'List where the account hears of its issues, newest first',
    tag: 'channels',
    access: 'account',
    scope: 'read',
    status: 200,
    response: v.array(channelSchema),
  },
  'POST /api/channels': {
    summary: 'Add a channel; an email address is asked for its confirmation first',
    tag: 'channels',
    access: 'account',
    scope: 'write',
    audit: 'channel.create',
    body: newChannelSchema,
    status: 201,
    response: channelSchema,
  },
  'GET /api/channels/{channelId}': {
    summary: 'Get a channel, with its newest message',
    tag: 'channels',
    access: 'account',
    scope: 'read',
    status: 200,
    response: channelSchema,
  },
  'PATCH /api/channels/{channelId}': {
    summary: 'Change a channel; a new email address is asked for its confirmation first',
    tag: 'channels',
    access: 'account',
    scope: 'write',
    audit: 'channel.update',
    body: channelPatchSchema,
    status: 200,
    response: channelSchema,
  },
  'DELETE /api/channels/{channelId}': {
    summary: 'Remove a channel; messages on their way to it are dropped',
    tag: 'channels',
    access: 'account',
    scope: 'write',
    audit: 'channel.delete',
    status: 204,
  },
  'POST /api/channels/{channelId}/test': {
    summary: 'Send a test message; at most 5 an hour for an account',
    tag: 'channels',
    access: 'account',
    scope: 'write',
    audit: 'channel.test',
    status: 202,
    response: testedSchema,
  },
} as const satisfies Calls;
