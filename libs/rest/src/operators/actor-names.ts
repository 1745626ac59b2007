import type { AdminTokens } from '../admin-tokens/admin-tokens.js';
import type { MemberRows } from '../members/member-rows.js';
import type { OperatorRows } from './operator-rows.js';

/** Names of whoever events may name as their actor: tokens, operators, members of accounts. */
export class ActorNames {
  constructor(
    private readonly tokens: Pick<AdminTokens, 'names'>,
    private readonly operators: Pick<OperatorRows, 'names'>,
    private readonly members: Pick<MemberRows, 'emails'>,
  ) {}

  /** By id; of nobody known, or erased: absent. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await Promise.all([
      this.tokens.names(ids),
      this.operators.names(ids),
      this.members.emails(ids),
    ]);
    return new Map(found.flatMap((names) => [...names]));
  }
}
