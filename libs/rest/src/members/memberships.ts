import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '#calendar/clock.js';
import { inputDigest, type Change } from '#deciding/changes/change.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import { problem, ProblemException } from '#web/problem.js';
import { SignInFailed } from '../oidc/identity-provider.js';
import type { Identity } from '../oidc/identity.js';
import type { SignedInSession } from '../oidc/oidc-authenticator.js';
import type { Outcome } from '../operation/operation.js';
import type { PortalAuthenticator } from '../portal-sessions/portal-authenticator.js';
import type { Session } from '../portal-sessions/portal-session.js';
import type { SignedIn } from '../portal-sessions/portal-session.schemas.js';
import type { PortalSessions } from '../portal-sessions/portal-sessions.js';
import type { SessionCookie } from '../sign-in/cookie.js';
import type { KeptMember, MemberRows } from './member-rows.js';
import type { Membership } from './member.schemas.js';

export interface MembershipsParts {
  readonly rows: MemberRows;
  readonly sessions: PortalSessions;
  readonly door: Pick<PortalAuthenticator, 'show'>;
  readonly cookie: SessionCookie;
  readonly reads: Pick<AccountReads, 'account'>;
  readonly clock: Clock;
}

/** Whose link is used. `isShown`: to another person, so that it opens this account alone. */
export interface MemberOfLink {
  readonly accountId: string;
  readonly memberId: string;
  readonly isShown: boolean;
}

/** Accounts that a person may open: signing in to one, and going over to another. */
export class Memberships {
  constructor(private readonly parts: MembershipsParts) {}

  /** Signs in to the account that the person has opened last. Throws SignInFailed. */
  async enter(request: FastifyRequest, identity: Identity): Promise<SignedInSession> {
    const { rows, cookie } = this.parts;
    // The address is trusted once; from then on it may change at the provider.
    if (identity.email !== null) await rows.bind(identity.email, identity);
    const [member] = await rows.ofSubject(identity);
    if (member === undefined) throw new SignInFailed('no-account');
    const opened = await this.open(member, signInOf(request, member));
    if (opened === undefined) throw new SignInFailed('no-account');
    const { id: by, accountId } = opened.session;
    return { cookie: cookie.set(opened.cookie), by, accountId };
  }

  /** Signs in a member by a link; undefined: it is none any more. Throws a ProblemException. */
  async enterByLink(
    request: FastifyRequest,
    { accountId, memberId, isShown }: MemberOfLink,
  ): Promise<Outcome<SignedIn> | undefined> {
    const { rows, door, cookie } = this.parts;
    const member = await rows.get(accountId, memberId);
    const opened = member && (await this.open(member, signInOf(request, member), isShown));
    if (opened === undefined) return undefined;
    return { view: await door.show(opened.session), cookie: cookie.set(opened.cookie) };
  }

  /** Accounts of the person who is signed in, by their names. */
  async of(session: Session): Promise<readonly Membership[]> {
    const members = await this.members(session);
    const all =
      members.length > 0 ? members : [{ accountId: session.accountId, role: session.role }];
    const found = await Promise.all(
      all.map(async ({ accountId, role }) => ({
        account_id: accountId,
        name: (await this.parts.reads.account(accountId))?.name ?? '',
        role,
        current: accountId === session.accountId,
      })),
    );
    return found.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  }

  /** Throws a ProblemException if the person is no member of the account. */
  async switchTo(session: Session, accountId: string, change: Change): Promise<Outcome<SignedIn>> {
    const { door, cookie } = this.parts;
    const member = (await this.members(session)).find((one) => one.accountId === accountId);
    const opened = member && (await this.open(member, change));
    if (opened === undefined) {
      throw new ProblemException(problem('not-found', 'You are no member of such an account.'));
    }
    return { view: await door.show(opened.session), cookie: cookie.set(opened.cookie) };
  }

  /** Whoever came by a link that another person was shown may not be who the address belongs to. */
  private async members({ memberId, isConfined }: Session): Promise<readonly KeptMember[]> {
    return memberId === null || isConfined ? [] : this.parts.rows.samePerson(memberId);
  }

  /** Undefined: it was removed or got another role meanwhile, and is not in. */
  private async open(member: KeptMember, change: Change, isConfined = false) {
    const { id, accountId, role } = member;
    const { rows, sessions, clock } = this.parts;
    const opened = await sessions.enter(
      accountId,
      { ...change, by: id, idempotencyKey: null },
      { id, role, isConfined },
    );
    if ((await rows.get(accountId, id))?.role === role) {
      await rows.signedIn(id, clock.now());
      return opened;
    }
    await sessions.revoke(accountId, opened.session.id, change);
    return undefined;
  }
}

/** Each sign-in is a change like no other. */
function signInOf(request: FastifyRequest, { id }: KeptMember): Change {
  return {
    by: id,
    requestId: request.id,
    idempotencyKey: null,
    input: inputDigest('POST', '/session', randomUUID(), {}),
  };
}
