import type pg from 'pg';
import type { PortalRole } from '#account/terms.js';
import { momentOfMs, msOfMoment } from '#database/moment-of.js';
import { comparisonFor } from '#projections/views/pages.js';
import type { Order } from '#web/query.js';
import { isInUse } from '../sign-in/session-uses.js';
import type { KeptSession, Session } from './portal-session.js';

/** A link as its event records it. */
export interface OpenedLink {
  readonly id: string;
  readonly accountId: string;
  readonly role: PortalRole;
  readonly openedBy: string;
  readonly openedAt: number;
  readonly linkHash: Buffer;
  readonly linkExpiresAt: number;
  /** Null: whoever opens the link. */
  readonly member: EnteringMember | null;
}

/** A member who signs in. `isConfined`: its session opens no other account of the person. */
export interface EnteringMember {
  readonly id: string;
  readonly isConfined: boolean;
}

/** A session as a request finds it. */
export interface FoundSession extends Session {
  /** The last request that was noted, or the sign-in; ms since 1970. */
  readonly usedAt: number;
}

const MS = (column: string): string => `${msOfMoment(column)} as ${column}`;

const EMAIL = '(select email from account_member m where m.id = member_id)';

const KEPT = `id, role, opened_by, ${EMAIL} as member, ${MS('opened_at')}, ${MS('link_expires_at')},
  ${MS('redeemed_at')}, ${MS('used_at')}, ${MS('expires_at')}, ${MS('revoked_at')}`;

const USED_AT = 'greatest(redeemed_at, used_at)';

/** Whether somebody is signed in with it at a moment. */
const isOpenAt = (now: string): string => `revoked_at is null and ${isInUse(USED_AT, now)}`;

/** The rows of portal sessions. All moments are real time, in ms since 1970. */
export class SessionRows {
  constructor(private readonly pool: pg.Pool) {}

  /** Keeps a link; one that is kept already stays as it is. */
  async keep(link: OpenedLink): Promise<void> {
    await this.pool.query({
      name: 'portal-session-keep',
      text: `insert into portal_session
               (id, account_id, role, opened_by, opened_at, link_hash, link_expires_at, member_id, is_confined)
             values ($1, $2, $3, $4, ${momentOfMs('$5')}, $6, ${momentOfMs('$7')}, $8, $9)
             on conflict (id) do nothing`,
      values: [
        link.id,
        link.accountId,
        link.role,
        link.openedBy,
        link.openedAt,
        link.linkHash,
        link.linkExpiresAt,
        link.member?.id ?? null,
        link.member?.isConfined ?? false,
      ],
    });
  }

  /** Turns a link into a session, once. Undefined: it opens nothing. */
  async redeem(
    linkHash: Buffer,
    cookieHash: Buffer,
    now: number,
    expiresAt: number,
  ): Promise<Session | undefined> {
    const { rows } = await this.pool.query<Session>({
      name: 'portal-session-redeem',
      text: `update portal_session
                set redeemed_at = ${momentOfMs('$3')}, cookie_hash = $2,
                    expires_at = ${momentOfMs('$4')}
              where link_hash = $1 and redeemed_at is null and revoked_at is null
                and link_expires_at > ${momentOfMs('$3')}
             returning id, account_id as "accountId", role, member_id as "memberId",
                       is_confined as "isConfined", ${EMAIL} as "memberEmail", $4::float8 as "expiresAt"`,
      values: [linkHash, cookieHash, now, expiresAt],
    });
    return rows[0];
  }

  /** The link of a hash, whatever has become of it. */
  async ofLink(linkHash: Buffer): Promise<KeptSession | undefined> {
    const { rows } = await this.pool.query<KeptSession>(
      `select ${KEPT} from portal_session where link_hash = $1`,
      [linkHash],
    );
    return rows[0];
  }

  /** The session of a cookie, unless it was revoked, has expired or was idle for too long. */
  async ofCookie(cookieHash: Buffer, now: number): Promise<FoundSession | undefined> {
    const { rows } = await this.pool.query<FoundSession>({
      name: 'portal-session-of-cookie',
      text: `select id, account_id as "accountId", role, member_id as "memberId",
                    is_confined as "isConfined", ${EMAIL} as "memberEmail",
                    (extract(epoch from expires_at) * 1000)::float8 as "expiresAt",
                    (extract(epoch from ${USED_AT}) * 1000)::float8 as "usedAt"
               from portal_session
              where cookie_hash = $1 and ${isOpenAt('$2')}`,
      values: [cookieHash, now],
    });
    return rows[0];
  }

  /** Which of these sessions are still open. */
  async open(ids: readonly string[], now: number): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'portal-sessions-open',
      text: `select id from portal_session
              where id = any ($1::uuid[]) and ${isOpenAt('$2')}`,
      values: [ids, now],
    });
    return new Set(rows.map(({ id }) => id));
  }

  /** Whether the account has such a session, open or not. */
  async has(accountId: string, id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'select from portal_session where account_id = $1 and id = $2',
      [accountId, id],
    );
    return rowCount === 1;
  }

  async revoke(id: string, now: number): Promise<void> {
    await this.pool.query(
      `update portal_session set revoked_at = coalesce(revoked_at, ${momentOfMs('$2')})
        where id = $1`,
      [id, now],
    );
  }

  /** Ends every link and session of an account. */
  async revokeAll(accountId: string, now: number): Promise<void> {
    await this.pool.query(
      `update portal_session set revoked_at = ${momentOfMs('$2')}
        where account_id = $1 and revoked_at is null`,
      [accountId, now],
    );
  }

  /** Forgets links and sessions that were over before a moment: the log keeps their events. */
  async forgetEnded(before: number): Promise<void> {
    await this.pool.query(
      `delete from portal_session
        where coalesce(expires_at, link_expires_at) < ${momentOfMs('$1')}`,
      [before],
    );
  }

  /** Those of an account in the order in which they were opened, behind a moment and id. */
  async list(
    accountId: string,
    after: readonly [at: number, id: string] | null,
    limit: number,
    order: Order,
  ): Promise<readonly KeptSession[]> {
    const { rows } = await this.pool.query<KeptSession>(
      `select ${KEPT} from portal_session s
        where account_id = $1
          and ($2::float8 is null or (s.opened_at, s.id) ${comparisonFor(order)} (${momentOfMs('$2')}, $3::uuid))
        order by s.opened_at ${order}, s.id ${order} limit $4`,
      [accountId, after?.[0] ?? null, after?.[1] ?? null, limit],
    );
    return rows;
  }
}
