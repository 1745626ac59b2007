import type { PortalRole } from '#account/terms.js';
import type { Clock } from '#calendar/clock.js';
import { formatInstant } from '#calendar/instant.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { BadCursorError } from '#web/read-errors.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import { problem, ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';
import { isUuid } from '#web/uuid.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { ChangeResult } from '#deciding/changes/change-result.js';
import type { Change } from '#deciding/changes/change.js';
import { commandIdOf } from '#deciding/command-id.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { newSecretToken, secretHash } from '../sign-in/secret-token.js';
import type { SessionUses } from '../sign-in/session-uses.js';
import { faultOf, refusedLink } from './refused-link.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import {
  ownSessionView,
  portalSessionView,
  type KeptSession,
  type Session,
} from './portal-session.js';
import type {
  NewPortalSession,
  OpenPortalSession,
  OwnSession,
  PortalSession,
} from './portal-session.schemas.js';
import type { EnteringMember, SessionRows } from './session-rows.js';

export interface PortalSessionsParts {
  readonly rows: SessionRows;
  readonly uses: SessionUses;
  readonly changes: AccountChanges;
  readonly loader: AccountLoader;
  readonly clock: Clock;
  readonly portalUrl: string;
}

export const LINK_PREFIX = 'pixlink_';
export const COOKIE_PREFIX = 'pixses_';
/** How long whoever has used a link stays signed in. */
export const SESSION_S = 8 * 3_600;
/** How long operators see what a link has become. */
const KEPT_MS = 90 * 24 * 3_600_000;
/** How long the link of a member lives, whom it signs in at once. */
const ENTER_S = 60;
const TOKEN_PARAMETER = '#token=';
const LIST = 'portal-sessions';

/**
 * Links that open the customers' portal, and the sessions that they have opened. That a link was
 * made and that a session was revoked are events; what is between is rows of their own.
 */
export class PortalSessions {
  constructor(private readonly parts: PortalSessionsParts) {}

  /** Makes a link. Throws a ProblemException for no such account, or an idempotency key in use. */
  async open(
    accountId: string,
    change: Change,
    { role, expires_in: seconds }: OpenPortalSession,
    member: EnteringMember | null = null,
  ): Promise<ChangeResult<NewPortalSession>> {
    const { loader, changes, rows, clock, portalUrl } = this.parts;
    await knownAccount(loader, accountId);
    const made = changes.of(accountId, change);
    const { id } = made;
    const { secret, hash } = newSecretToken(LINK_PREFIX);
    const now = Math.floor(clock.now());
    const { event } = await made.submit({
      command: 'open-portal-session',
      sessionId: id,
      role,
      hash: hash.toString('hex'),
      linkExpiresAt: now + seconds * 1_000,
    });
    if (event?.type !== 'PortalSessionOpened') throw new Error(`Command ${id} opened no session.`);
    const { data } = event;
    const linkHash = Buffer.from(data.hash, 'hex');
    const linkExpiresAt = Date.parse(data.link_expires_at);
    const link = { id, accountId, role: data.role, openedBy: data.by, openedAt: now };
    // After the event, so that no link opens anything that the log does not record; a retry keeps
    // the row that an ended process has not.
    await rows.keep({ ...link, linkHash, linkExpiresAt, member });
    await rows.forgetEnded(now - KEPT_MS);
    // Whoever has closed the account meanwhile ended the rows that were there by then.
    if ((await knownAccount(loader, accountId)).closedAt !== null) await this.endAll(accountId);
    const ours = linkHash.equals(hash);
    const url = ours ? { url: `${portalUrl}/${TOKEN_PARAMETER}${secret}` } : {};
    const view = { id, ...url, role: data.role, expires_at: formatInstant(linkExpiresAt) };
    return { view, replayed: !ours };
  }

  /** In the order in which they were opened. Throws a ProblemException, BadCursorError. */
  async page(accountId: string, { after, limit, order }: PageQuery): Promise<Table<PortalSession>> {
    await knownAccount(this.parts.loader, accountId);
    const place = after === undefined ? null : decodeSession(after);
    const found = await this.parts.rows.list(accountId, place, limit + 1, order);
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const now = this.parts.clock.now();
    return {
      items: shown.map((kept) => portalSessionView(kept, now)),
      next: last === undefined ? null : encodeSession(last),
    };
  }

  /** The same as the account sees them. `currentId`: the session that asks. */
  async ownPage(
    accountId: string,
    query: PageQuery,
    currentId: string,
  ): Promise<Table<OwnSession>> {
    const { items, next } = await this.page(accountId, query);
    return { items: items.map((view) => ownSessionView(view, currentId)), next };
  }

  /** Ends a link and its session at once; doing it again changes nothing. */
  async revoke(accountId: string, sessionId: string, change: Change): Promise<ChangeResult<null>> {
    const { rows, changes, clock } = this.parts;
    if (!(await rows.has(accountId, sessionId))) {
      throw new ProblemException(problem('not-found', 'The account has no such portal session.'));
    }
    // One id for all requests, so that it is recorded once, and a retry completes an interrupted
    // one.
    const id = commandIdOf(accountId, `portal session ${sessionId} is revoked`);
    const command = { command: 'revoke-portal-session', sessionId } as const;
    const { refusal } = await changes.of(accountId, change, id).trySubmit(command);
    if (refusal !== null && refusal.reason !== 'idempotency-conflict') {
      throw new ProblemException(refusalProblem(refusal));
    }
    await rows.revoke(sessionId, clock.now());
    return { view: null, replayed: false };
  }

  /** Ends every link and session of a closed account; doing it again changes nothing. */
  endAll(accountId: string): Promise<void> {
    return this.parts.rows.revokeAll(accountId, this.parts.clock.now());
  }

  /** Signs in with a link's token, once. Throws a ProblemException that says why not. */
  async redeem(token: string): Promise<{ session: Session; cookie: string }> {
    const { rows, clock } = this.parts;
    const { secret: cookie, hash } = newSecretToken(COOKIE_PREFIX);
    const now = Math.floor(clock.now());
    const linkHash = secretHash(token);
    const session = await rows.redeem(linkHash, hash, now, now + SESSION_S * 1_000);
    if (session === undefined) throw refusedLink(faultOf(await rows.ofLink(linkHash)));
    return { session, cookie };
  }

  /** Signs in a member: its link is made, recorded and used at once. Throws a ProblemException. */
  async enter(
    accountId: string,
    change: Change,
    member: EnteringMember & { readonly role: PortalRole },
  ): Promise<{ session: Session; cookie: string }> {
    const { view } = await this.open(
      accountId,
      change,
      { role: member.role, expires_in: ENTER_S },
      member,
    );
    if (view.url === undefined) throw new Error(`Link ${view.id} was made before.`);
    return this.redeem(new URL(view.url).hash.slice(TOKEN_PARAMETER.length));
  }

  /**
   * The session of a cookie, looked up each time: one that was revoked is over at once. `isUse`:
   * whether the request keeps it from being idle.
   */
  async find(cookie: string, isUse: boolean): Promise<Session | undefined> {
    if (!cookie.startsWith(COOKIE_PREFIX)) return undefined;
    const { rows, uses, clock } = this.parts;
    const [hash, now] = [secretHash(cookie), clock.now()];
    const found = await rows.ofCookie(hash, now);
    if (found !== undefined && isUse) await uses.note(hash, found.usedAt, now);
    return found;
  }
}

function encodeSession({ opened_at: at, id }: KeptSession): string {
  return encodePlace(LIST, [String(at), id]);
}

function decodeSession(cursor: string): readonly [at: number, id: string] {
  const [at = '', id = ''] = decodePlace(LIST, 2, cursor);
  if (!/^\d{1,15}$/.test(at) || !isUuid(id)) throw new BadCursorError(cursor);
  return [Number(at), id];
}
