import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AccountingUnavailableError } from '#account/charging.js';
import type { Change } from '#deciding/changes/change.js';
import { problem, ProblemException } from '#web/problem.js';
import { ok } from './answer.js';
import { ChangeCommand, changeHandler } from './change-command.js';
import { operationsOf, type ChangeRequest, type Outcome } from './operation.js';

const CHANGE: Change = { by: 'owner', requestId: 'r', idempotencyKey: null, input: 'i' };

interface Service {
  run(change: Change): Promise<Outcome<number>>;
}

const rename = operationsOf<Service>('Tests').change({
  id: 'rename',
  method: 'post',
  path: '/name',
  summary: 'Renames it',
  access: {},
  answer: ok(z.number()),
  run: (service, { change }) => service.run(change),
});

/** The labels under which the handler counts a change with this body. */
async function counted(run: Service['run'], body: unknown = {}): Promise<string[]> {
  const counts: string[] = [];
  const countChange = (...labels: string[]) => void counts.push(labels.join(' '));
  const request = { url: '/admin/v1/name' } as FastifyRequest;
  const asked = { path: {}, query: {}, account: null, change: CHANGE, request, body };
  const command = new ChangeCommand(rename, { run }, asked as ChangeRequest);
  const Handler = changeHandler({ countChange });
  await new Handler().execute(command).catch(() => undefined);
  return counts;
}

it.each<[string, Service['run']]>([
  ['made', async () => ({ view: 1 })],
  ['made', async () => ({ view: 1, replayed: false })],
  ['replayed', async () => ({ view: 1, replayed: true })],
  ['conflict', () => Promise.reject(new ProblemException(problem('conflict', 'x')))],
  ['accounting-unavailable', () => Promise.reject(new AccountingUnavailableError('away'))],
  ['internal', () => Promise.reject(new Error('a bug'))],
])('a change is counted by its operation, and as %s', async (outcome, run) => {
  expect(await counted(run)).toEqual([`rename ${outcome}`]);
});

it.each<[unknown, string | undefined]>([
  [{ reason: 'Agreed.' }, 'Agreed.'],
  [{ name: 'A' }, undefined],
  [undefined, undefined],
])('the reason in the body %j is that of the change', async (body, reason) => {
  const seen: Change[] = [];
  await counted(async (change) => {
    seen.push(change);
    return { view: 1 };
  }, body);
  expect(seen).toEqual([reason === undefined ? CHANGE : { ...CHANGE, reason }]);
});
