import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Origin } from '#account/events.js';
import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import type { Made } from '#deciding/changes/made.js';
import { SystemChanges, type Own } from '#deciding/changes/system-changes.js';
import type { Fold } from '#event-log/fold.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import { NOTHING, page } from '../operation/answer.js';
import type { Frozen } from '../operation/frozen.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { PAGE, pageBy } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { AdminRole } from '../operation/role.js';
import { OperatorRows } from './operator-rows.js';

const Operator = z
  .strictObject({
    id: z.uuid().meta({ description: 'Names the person in the audit.' }),
    name: z.string().nullable(),
    email: z.string().nullable(),
    role: AdminRole.meta({ description: 'At the last sign-in.' }),
    signed_in_at: z.iso.datetime(),
  })
  .meta({
    id: 'Operator',
    examples: [
      {
        id: '019a9c3e-5d1f-8c3a-8f0e-2b7d6f1a4c57',
        name: 'Nadja Novak',
        email: 'nadja@example.com',
        role: 'billing',
        signed_in_at: '2026-11-21T12:00:00.000Z',
      },
    ],
  });

// This name is the stored format of lane 0: members may be added, never renamed.
const OPERATOR_SIGNED_OUT = 'OperatorSignedOut';

interface OperatorSignedOut extends Origin {
  readonly operator_id: string;
}

/** Nothing of the log decides whether a person is signed out. */
const NOTHING_READ: Fold<null> = { initial: () => null, evolve: () => null };

/** People who have signed in to the console with the company account. */
@Injectable()
export class Operators {
  constructor(
    @Inject(OperatorRows) private readonly rows: OperatorRows,
    @Inject(SystemChanges) private readonly changes: SystemChanges,
  ) {}

  /** Throws BadCursorError. */
  async page(query: PageQuery): Promise<Table<Frozen<z.output<typeof Operator>>>> {
    const all = await this.rows.list();
    return pageBy(query)(
      all.map(({ id, name, email, role, signedInAt }) => ({
        id,
        name,
        email,
        role,
        signed_in_at: formatMoment(signedInAt),
      })),
    );
  }

  /** Throws a ProblemException if nobody of this id has ever signed in. */
  async endSessions(id: string, change: Change): Promise<Made<null>> {
    if (!(await this.rows.has(id))) {
      throw new ProblemException(problem('not-found', 'There is no such operator.'));
    }
    const data: Own<OperatorSignedOut> = { operator_id: id };
    const { replayed } = await this.changes
      .of('operators', change)
      .append(NOTHING_READ, () => ({ type: OPERATOR_SIGNED_OUT, data }));
    await this.rows.endSessions(id);
    return { view: null, replayed };
  }
}

const { read, change } = operationsOf<Operators>('Safety');

const list = read({
  id: 'listOperators',
  path: '/operators',
  summary: 'People who have signed in to the console with the company account',
  description: 'Their roles are those of the identity provider, as of the last sign-in.',
  may: { roles: ['support'] },
  query: PAGE,
  answer: page(Operator),
  cli: {
    name: 'operator list',
    description: 'people who have signed in to the console with the company account',
    example: '',
    columns: ['id', 'name', 'email', 'role', 'signed_in_at'],
  },
  run: async (operators, { query }) => ({ view: await operators.page(query) }),
});

const endSessions = change({
  id: 'revokeOperatorSessions',
  method: 'delete',
  path: '/operators/{operator_id}/sessions',
  summary: 'Signs a person out of the console everywhere, at once',
  description:
    'Take the role away at the identity provider first: a role counts until its session ends, ' +
    'after 8 hours at most.',
  may: { roles: [] },
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  cli: {
    name: 'operator revoke',
    description: 'sign a person out of the console everywhere',
    example: '019a…',
    done: 'The person is signed out.',
  },
  run: (operators, { path, change: made }) => operators.endSessions(path.operator_id, made),
});

export const OPERATORS: Resource = { service: Operators, operations: [list, endSessions] };
