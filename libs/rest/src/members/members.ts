import type { Clock } from '#calendar/clock.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { SignInLinks } from '#deliveries/sign-in-links.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import { pageBy } from '../operation/queries.js';
import type { KeptMember, MemberRows } from './member-rows.js';
import type { AddedMember, AddMember, Member } from './member.schemas.js';

/** One page of a list is all of them. */
const MEMBERS_MAX = 200;

/**
 * People who may sign in to the portal of an account by themselves. That one was added or removed
 * is an event; the address stands in a row, which goes with the member or the account.
 */
export class Members {
  constructor(
    private readonly rows: MemberRows,
    private readonly changes: AccountChanges,
    private readonly loader: AccountLoader,
    private readonly links: Pick<SignInLinks, 'canMail' | 'invite'>,
    /** Whether people sign in with the company account. */
    private readonly hasProvider: boolean,
    private readonly clock: Clock,
  ) {}

  /** Adds a person, or gives a member another role, and invites. Throws a ProblemException. */
  async add(
    accountId: string,
    change: Change,
    body: AddMember,
  ): Promise<ChangeResult<AddedMember>> {
    const { rows, changes, loader, clock } = this;
    await knownAccount(loader, accountId);
    const { email, role } = body;
    const before = await rows.ofEmail(accountId, email);
    if (before === undefined && (await rows.list(accountId)).length >= MEMBERS_MAX) {
      const detail = `The account has ${MEMBERS_MAX} members already: remove one first.`;
      throw new ProblemException(problem('conflict', detail));
    }
    const made = changes.of(accountId, change);
    const memberId = before?.id ?? made.id;
    const { replayed } = await made.submit({ command: 'add-member', memberId, role });
    // After the event, so that nobody signs in whom the log does not know.
    const addedAt = Math.floor(clock.now());
    const member = { id: memberId, accountId, email, role, addedBy: change.by, addedAt };
    await rows.keep(member);
    // Whoever has closed the account meanwhile removed the rows that were there by then.
    if ((await knownAccount(loader, accountId)).closedAt !== null) await this.endAll(accountId);
    const kept = before ? { ...before, role } : { ...member, signedInAt: null };
    return { view: { ...viewOf(kept), invitation: await this.invite(made.id, kept) }, replayed };
  }

  /** Those who get no mail and have no company account need a link each time. */
  private async invite(
    id: string,
    { id: memberId, accountId, signedInAt }: KeptMember,
  ): Promise<AddedMember['invitation']> {
    const { links, hasProvider } = this;
    if (!links.canMail && hasProvider) return { way: 'company-account', expires_at: null };
    const invitation =
      links.canMail && signedInAt !== null ? null : await links.invite(id, accountId, memberId);
    if (invitation === null) return { way: 'none', expires_at: null };
    const { expiresAt, url } = invitation;
    return {
      way: links.canMail ? 'mail' : 'link',
      expires_at: formatInstant(expiresAt),
      ...(url !== null && { url }),
    };
  }

  /** In the order in which they were added. Throws a ProblemException, BadCursorError. */
  async page(accountId: string, query: PageQuery): Promise<Table<Member>> {
    const { loader, rows } = this;
    await knownAccount(loader, accountId);
    return pageBy(query)((await rows.list(accountId)).map(viewOf));
  }

  /** Removes a person and ends its sessions. Throws a ProblemException if there is no such one. */
  async remove(accountId: string, memberId: string, change: Change): Promise<ChangeResult<null>> {
    const { rows, changes, loader, clock } = this;
    await knownAccount(loader, accountId);
    if ((await rows.get(accountId, memberId)) === undefined) {
      throw new ProblemException(problem('not-found', 'The account has no such member.'));
    }
    const command = { command: 'remove-member', memberId } as const;
    const { replayed } = await changes.of(accountId, change).submit(command);
    await rows.remove(accountId, memberId, clock.now());
    return { view: null, replayed };
  }

  /** Removes every member of a closed account; doing it again changes nothing. */
  endAll(accountId: string): Promise<void> {
    return this.rows.removeAll(accountId);
  }
}

function viewOf(member: KeptMember): Member {
  return {
    id: member.id,
    email: member.email,
    role: member.role,
    added_by: member.addedBy,
    added_at: formatMoment(member.addedAt),
    signed_in_at: member.signedInAt === null ? null : formatMoment(member.signedInAt),
  };
}
