import { GiveBacks } from '#invoicing/give-backs.js';
import { created } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_CHANGE } from '../operation/permissions.js';
import { CallGivenBack, GiveCallBack } from './give-back.schemas.js';

const { change } = operationsOf<GiveBacks>('Credits');

const giveBack = change({
  id: 'giveCallBack',
  method: 'post',
  path: '/calls/{call_id}/give-back',
  summary: 'Gives a call back',
  description:
    'All that it was charged, once. Before the invoice of its month by an adjustment. Afterwards what ' +
    'the invoice has billed of it is credited, at most what is left of the overage, and the rest is ' +
    'given back as credits: `instrument` reports which it was.',
  access: STAFF_CHANGE,
  body: GiveCallBack,
  answer: created(CallGivenBack),
  problems: ['conflict'],
  cli: {
    name: 'call give-back',
    description: 'give a call back: credits, or a credit note where it was billed',
    example: '0198… "Wrong data."',
    arguments: ['reason'],
  },
  run: (all, { path, change: made, body }) => all.giveBack(path.call_id, made, body.reason),
});

/** Calls that are given back, whatever was invoiced. */
export const GIVE_BACKS: Resource = { service: GiveBacks, operations: [giveBack] };
