import type { Origin } from '#account/terms.js';
import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { SystemChanges } from '#deciding/changes/system-changes.js';
import { type WithoutOrigin } from '#deciding/changes/system-changes.js';
import type { Fold } from '#event-log/fold.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import { pageBy } from '../operation/queries.js';
import type { Operator } from './operator.schemas.js';
import type { OperatorRows } from './operator-rows.js';

// This name is the stored format of lane 0: members may be added, never renamed.
const OPERATOR_SIGNED_OUT = 'OperatorSignedOut';

interface OperatorSignedOut extends Origin {
  readonly operator_id: string;
}

/** Nothing of the log decides whether a person is signed out. */
const NOTHING_READ: Fold<null> = { initial: () => null, evolve: () => null };

/** People who have signed in to the console with the company account. */
export class Operators {
  constructor(
    private readonly rows: OperatorRows,
    private readonly changes: SystemChanges,
  ) {}

  /** Throws BadCursorError. */
  async page(query: PageQuery): Promise<Table<Operator>> {
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
  async endSessions(id: string, change: Change): Promise<ChangeResult<null>> {
    if (!(await this.rows.has(id))) {
      throw new ProblemException(problem('not-found', 'There is no such operator.'));
    }
    const data: WithoutOrigin<OperatorSignedOut> = { operator_id: id };
    const { replayed } = await this.changes
      .of('operators', change)
      .append(NOTHING_READ, () => ({ type: OPERATOR_SIGNED_OUT, data }));
    await this.rows.endSessions(id);
    return { view: null, replayed };
  }
}
