import type pg from 'pg';
import type { PortalRole } from '#account/terms.js';
import { momentOfMs, msOfMoment } from '#database/moment-of.js';

/** A person who may sign in to an account. Moments are real time, in ms since 1970. */
export interface KeptMember {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: PortalRole;
  readonly addedBy: string;
  readonly addedAt: number;
  readonly signedInAt: number | null;
}

/** A person as an identity provider knows it. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

const KEPT = `id, account_id as "accountId", email, role, added_by as "addedBy",
  ${msOfMoment('added_at')} as "addedAt", ${msOfMoment('signed_in_at')} as "signedInAt"`;

/** The rows of members: who they are, which no event holds. */
export class MemberRows {
  constructor(private readonly pool: pg.Pool) {}

  /** In the order in which they were added. */
  async list(accountId: string): Promise<readonly KeptMember[]> {
    return this.read('where account_id = $1 order by added_at, id', [accountId]);
  }

  async get(accountId: string, id: string): Promise<KeptMember | undefined> {
    return (await this.read('where account_id = $1 and id = $2', [accountId, id]))[0];
  }

  async ofEmail(accountId: string, email: string): Promise<KeptMember | undefined> {
    const members = await this.read('where account_id = $1 and lower(email) = lower($2)', [
      accountId,
      email,
    ]);
    return members[0];
  }

  /** In all accounts, the one that was opened last before the others. */
  async ofSubject({ issuer, subject }: Subject): Promise<readonly KeptMember[]> {
    return this.read(
      `where issuer = $1 and subject = $2
       order by signed_in_at desc nulls last, added_at, id`,
      [issuer, subject],
    );
  }

  /** All of the same person, known by a provider, else by the address that links are mailed to. */
  async samePerson(id: string): Promise<readonly KeptMember[]> {
    return this.read(
      `where id = $1
          or (issuer, subject) = (select issuer, subject from account_member where id = $1)
          or (issuer is null and lower(email) = (
               select lower(email) from account_member where id = $1 and issuer is null))
       order by added_at, id`,
      [id],
    );
  }

  /** Members of an e-mail address, in all accounts. */
  async ofAddress(email: string): Promise<readonly KeptMember[]> {
    return this.read('where lower(email) = lower($1) order by added_at, id', [email]);
  }

  /** Gives all members of a verified address who are nobody's yet to the person who has it. */
  async bind(email: string, { issuer, subject }: Subject): Promise<void> {
    await this.pool.query(
      `update account_member set issuer = $2, subject = $3
        where lower(email) = lower($1) and issuer is null`,
      [email, issuer, subject],
    );
  }

  /** Keeps a member, or the role of one who is there; sessions of another role are over. */
  async keep(member: Omit<KeptMember, 'signedInAt'>): Promise<void> {
    await this.pool.query(
      `with ended as (
         update portal_session set revoked_at = ${momentOfMs('$6')}
          where account_id = $2 and member_id = $1::uuid and role <> $4 and revoked_at is null)
       insert into account_member (id, account_id, email, role, added_by, added_at)
       values ($1::uuid, $2, $3, $4, $5, ${momentOfMs('$6')})
       on conflict (account_id, lower(email)) do update set role = excluded.role`,
      [member.id, member.accountId, member.email, member.role, member.addedBy, member.addedAt],
    );
  }

  async signedIn(id: string, now: number): Promise<void> {
    await this.pool.query(
      `update account_member set signed_in_at = ${momentOfMs('$2')} where id = $1`,
      [id, now],
    );
  }

  /** Removes a member and ends its sessions. */
  async remove(accountId: string, id: string, now: number): Promise<void> {
    await this.pool.query(
      `with gone as (delete from account_member where id = $2::uuid)
       update portal_session set revoked_at = ${momentOfMs('$3')}
        where account_id = $1 and member_id = $2::uuid and revoked_at is null`,
      [accountId, id, now],
    );
  }

  /** Of a closed account: nobody signs in to it any more. */
  async removeAll(accountId: string): Promise<void> {
    await this.pool.query('delete from account_member where account_id = $1', [accountId]);
  }

  /** E-mail addresses by id. */
  async emails(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const members = await this.read('where id::text = any ($1::text[])', [ids]);
    return new Map(members.map(({ id, email }) => [id, email]));
  }

  private async read(where: string, values: readonly unknown[]): Promise<readonly KeptMember[]> {
    const statement = `select ${KEPT} from account_member ${where}`;
    return (await this.pool.query<KeptMember>(statement, [...values])).rows;
  }
}
