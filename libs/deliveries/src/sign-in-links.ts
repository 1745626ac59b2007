import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { formatInstant } from '#calendar/instant.js';
import type { Clock } from '#calendar/clock.js';
import { momentOfMs, msOfMoment } from '#database/moment-of.js';
import { FIRST_PAGE, ownPage } from '#web/own-page.js';
import { isUuid } from '#web/uuid.js';
import { URGENT_MAIL } from './delivery-id.js';
import type { MailToSend } from './send-mail.js';

export interface SignInLinksParts {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly portalUrl: string;
  /** Whether a mail server is set. */
  readonly canMail: boolean;
  /** The same in every process; what signs the links is derived from it. */
  readonly secret: string;
}

/** Whose link it was, or why it opens nothing. */
export type UsedLink =
  | {
      readonly memberId: string;
      readonly accountId: string;
      /** Whether it was shown to another person, so that it proves no address. */
      readonly isShown: boolean;
    }
  | { readonly refused: 'unknown' | 'used' | 'expired' };

/** A link that invites a member. Moments in ms since 1970. */
export interface Invitation {
  readonly expiresAt: number;
  /** Only where no mail server is set, and only to the request that has made it. */
  readonly url: string | null;
}

/** Type of the deliveries that no event made, because a person asked for them. */
export const SIGN_IN_LINK = 'portal.sign_in_link';

const PREFIX = 'pixmail_';
const MINUTE_MS = 60_000;
const LIVES_MS = 15 * MINUTE_MS;
const INVITATION_LIVES_MS = 7 * 24 * 60 * MINUTE_MS;
/** Links of one address in the time that one lives; further ones are not sent. */
const LINKS_MAX = 3;
/** The same for requests that no page sends, so that they leave links for those that one does. */
const STRAY_LINKS_MAX = 1;
/** How long operators can see that a link was over. */
const KEPT_MS = 24 * 60 * MINUTE_MS;

// The member who has signed in last, of all with that address. One who signs in by a provider is
// known by that alone: an address is given to others.
const PLAN = `
with forgotten as (
  delete from sign_in_link where expires_at < ${momentOfMs('$4')} - interval '${KEPT_MS} ms'
), asked as (
  select id, account_id from account_member
   where lower(email) = lower($2) and (issuer is null or not $6)
   order by signed_in_at desc nulls last, added_at, id limit 1
), recent as (
  select count(*) as links from sign_in_link l join account_member m on m.id = l.member_id
   where lower(m.email) = lower($2) and l.kind = 'requested'
     and l.requested_at > ${momentOfMs('$4')} - interval '${LIVES_MS} ms'
), link as (
  insert into sign_in_link (id, member_id, return_to, requested_at, expires_at)
  select $1, asked.id, $3, ${momentOfMs('$4')}, ${momentOfMs('$4')} + interval '${LIVES_MS} ms'
    from asked, recent where recent.links < $5
  returning id
)
insert into delivery (id, receiver, account_id, type, status, next_at)
select link.id, $7, asked.account_id, $8, 'pending', now() from link, asked`;

// The invitation before is over: one link of a member invites at a time.
const INVITE = `
with replaced as (
  update sign_in_link set expires_at = ${momentOfMs('$4')}
   where member_id = $2 and kind <> 'requested' and used_at is null and id <> $1
     and expires_at > ${momentOfMs('$4')}
), recent as (
  select count(*) as links from sign_in_link l join account_member m on m.id = l.member_id
   where lower(m.email) = (select lower(email) from account_member where id = $2)
     and l.kind = 'invited'
     and l.requested_at > ${momentOfMs('$4')} - interval '${LIVES_MS} ms'
), link as (
  insert into sign_in_link (id, member_id, return_to, requested_at, expires_at, kind)
  select $1, $2, '${FIRST_PAGE.portal}', ${momentOfMs('$4')},
         ${momentOfMs('$4')} + interval '${INVITATION_LIVES_MS} ms', $5
    from recent where $5 = 'shown' or recent.links < ${LINKS_MAX}
  on conflict (id) do nothing
  returning id, expires_at
), planned as (
  insert into delivery (id, receiver, account_id, type, status, next_at)
  select id, $6, $3, $7, 'pending', now() from link where $5 = 'invited'
)
select true as "isNew", ${msOfMoment('expires_at')} as "expiresAt" from link
union all
select false, ${msOfMoment('expires_at')} from sign_in_link where id = $1`;

/** Links of members: each is mailed, or shown, once and signs in once. */
export class SignInLinks {
  private readonly key: Buffer;

  constructor(private readonly parts: SignInLinksParts) {
    this.key = createHmac('sha256', parts.secret).update('popindex sign-in links').digest();
  }

  /**
   * Plans the e-mail of a link; nothing if the address is no member's or has had several.
   * `page`: path of a page of the portal; undefined: what was asked for is none, and the first one
   * opens.
   * `hasProvider`: whether people sign in by an identity provider.
   */
  async plan(email: string, page: string | undefined, hasProvider: boolean): Promise<void> {
    const now = Math.floor(this.parts.clock.now());
    const linksMax = page === undefined ? STRAY_LINKS_MAX : LINKS_MAX;
    const values = [randomUUID(), email, page ?? FIRST_PAGE.portal, now, linksMax, hasProvider];
    await this.parts.pool.query({
      name: 'sign-in-link-plan',
      text: PLAN,
      values: [...values, URGENT_MAIL, SIGN_IN_LINK],
    });
  }

  get canMail(): boolean {
    return this.parts.canMail;
  }

  /**
   * Invites a member by e-mail; where no mail server is set, by a link to pass on. Null: the
   * address has had several links. `id`: the same for a repeated request, which makes no other.
   */
  async invite(id: string, accountId: string, memberId: string): Promise<Invitation | null> {
    const { pool, clock, canMail, portalUrl } = this.parts;
    const now = Math.floor(clock.now());
    const kind = canMail ? 'invited' : 'shown';
    const { rows } = await pool.query<{ isNew: boolean; expiresAt: number }>({
      name: 'sign-in-link-invite',
      text: INVITE,
      values: [id, memberId, accountId, now, kind, URGENT_MAIL, SIGN_IN_LINK],
    });
    const [link] = rows;
    if (link === undefined) return null;
    const url = link.isNew && !canMail ? urlOf(portalUrl, FIRST_PAGE.portal, this.token(id)) : null;
    return { expiresAt: link.expiresAt, url };
  }

  /** The e-mail of a link, the same each time. */
  async mail(id: string): Promise<MailToSend> {
    const { pool, clock, portalUrl } = this.parts;
    const { rows } = await pool.query<MailedLink>({
      name: 'sign-in-link-mail',
      text: `select m.email, l.kind, l.return_to, ${msOfMoment('l.expires_at')} as expires_ms
               from sign_in_link l join account_member m on m.id = l.member_id
              where l.id = $1 and l.used_at is null and l.expires_at > ${momentOfMs('$2')}`,
      values: [id, clock.now()],
    });
    const [link] = rows;
    if (link === undefined) return { unsendable: 'The link is over.' };
    const url = urlOf(portalUrl, link.return_to, this.token(id));
    const compose = link.kind === 'invited' ? invitationMail : linkMail;
    return { address: link.email, mail: compose(url, link.expires_ms) };
  }

  /** Uses a link, once. */
  async use(token: string): Promise<UsedLink> {
    const id = this.idOf(token);
    if (id === undefined) return { refused: 'unknown' };
    const { pool, clock } = this.parts;
    const { rows } = await pool.query<Extract<UsedLink, { memberId: string }>>(
      `update sign_in_link l set used_at = ${momentOfMs('$2')} from account_member m
        where l.id = $1 and l.used_at is null and l.expires_at > ${momentOfMs('$2')}
          and m.id = l.member_id
       returning m.id as "memberId", m.account_id as "accountId", l.kind = 'shown' as "isShown"`,
      [id, clock.now()],
    );
    return rows[0] ?? { refused: await this.fault(id) };
  }

  private async fault(id: string): Promise<'unknown' | 'used' | 'expired'> {
    const { rows } = await this.parts.pool.query<{ used: boolean; over: boolean }>(
      `select used_at is not null as used, expires_at <= ${momentOfMs('$2')} as over
         from sign_in_link where id = $1`,
      [id, this.parts.clock.now()],
    );
    if (rows[0]?.used === true) return 'used';
    // Its row is forgotten after a day; one that a member of yore has is nobody's.
    return rows[0]?.over === false ? 'unknown' : 'expired';
  }

  private token(id: string): string {
    return `${PREFIX}${id}.${this.mac(id).toString('base64url')}`;
  }

  /** Undefined for what this service has not signed. */
  private idOf(token: string): string | undefined {
    const [id = '', mac = ''] = token.startsWith(PREFIX)
      ? token.slice(PREFIX.length).split('.')
      : [];
    const [sent, own] = [Buffer.from(mac, 'base64url'), this.mac(id)];
    return isUuid(id) && sent.length === own.length && timingSafeEqual(sent, own) ? id : undefined;
  }

  private mac(id: string): Buffer {
    return createHmac('sha256', this.key).update(id).digest();
  }
}

interface MailedLink {
  readonly email: string;
  readonly kind: 'requested' | 'invited';
  readonly return_to: string;
  readonly expires_ms: number;
}

function urlOf(portalUrl: string, page: string, token: string): string {
  return `${portalUrl}${ownPage('portal', page)}#sign-in=${token}`;
}

function invitationMail(url: string, expiresAt: number) {
  const lines = [
    'You are invited to the portal of an account: its calls, credits and invoices.',
    'Open this address, and press “Sign in” there:',
    '',
    url,
    '',
    `It works once, until ${formatInstant(expiresAt)}. The sign-in page mails you another one when you`,
    'need it.',
    '',
    'If you do not know why you get this, there is nothing to do: nobody is signed in.',
  ];
  return { subject: 'Invitation to the portal', text: `${lines.join('\n')}\n` };
}

function linkMail(url: string, expiresAt: number) {
  const lines = [
    'Open this address, and press “Sign in” there:',
    '',
    url,
    '',
    `It works once, until ${formatInstant(expiresAt)}.`,
    '',
    'You get this because somebody has asked for it with your address. If that was not you, there is',
    'nothing to do: nobody is signed in.',
  ];
  return { subject: 'Sign in to the portal', text: `${lines.join('\n')}\n` };
}
