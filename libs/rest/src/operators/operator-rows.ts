import type pg from 'pg';
import { momentOfMs, msOfMoment } from '#database/moment-of.js';
import { uuidOfParts } from '#web/uuid.js';
import type { Role } from '../operation/role.js';
import type { Identity } from '../oidc/identity.js';

/** A person who has signed in to the console by the identity provider. */
export interface KeptOperator {
  readonly id: string;
  readonly issuer: string;
  readonly name: string | null;
  readonly email: string | null;
  /** At the last sign-in. */
  readonly role: Role;
  /** Ms since 1970. */
  readonly signedInAt: number;
}

/** The same for the same person, in every process and after a restore: events name it. */
export function operatorIdOf({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string {
  return uuidOfParts('operator', issuer, subject);
}

/** Operators who sign in by the identity provider, and their sessions. */
export class OperatorRows {
  constructor(private readonly pool: pg.Pool) {}

  /** Keeps who has signed in with which role; returns the id. `now`: ms since 1970. */
  async keep(identity: Identity, role: Role, now: number): Promise<string> {
    const id = operatorIdOf(identity);
    const { issuer, subject, name, email } = identity;
    await this.pool.query(
      `insert into operator (id, issuer, subject, name, email, role, signed_in_at)
       values ($1, $2, $3, $4, $5, $6, ${momentOfMs('$7')})
       on conflict (id) do update
          set name = excluded.name, email = excluded.email, role = excluded.role,
              signed_in_at = excluded.signed_in_at`,
      [id, issuer, subject, name, email, role, now],
    );
    return id;
  }

  /** In the order of their ids. */
  async list(): Promise<readonly KeptOperator[]> {
    const { rows } = await this.pool.query<KeptOperator>(
      `select id, issuer, name, email, role,
              ${msOfMoment('signed_in_at')} as "signedInAt"
         from operator order by id`,
    );
    return rows;
  }

  async has(id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from operator where id = $1', [id]);
    return rowCount === 1;
  }

  /** Ends all sessions of a person. */
  async endSessions(id: string): Promise<void> {
    await this.pool.query('delete from console_session where operator_id = $1', [id]);
  }

  /** Names, or else e-mail addresses, by id. */
  async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<{ id: string; name: string }>(
      `select id, coalesce(name, email) as name from operator
        where id::text = any ($1::text[]) and coalesce(name, email) is not null`,
      [ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
