import type pg from 'pg';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { findProfiles } from '#projections/texts/profiles.js';
import type { MatchedInvoice } from './match-entries.js';

interface InvoiceRow extends Omit<MatchedInvoice, 'names'> {
  readonly profile: string | null;
  readonly buyer: string | null;
}

/**
 * Issued invoices of which something is due in these currencies, and those of these numbers: from
 * the projection, whose rows have to hold what stands in the log.
 */
export async function readMatchedInvoices(
  pool: pg.Pool,
  currencies: readonly string[],
  numbers: readonly string[],
): Promise<readonly MatchedInvoice[]> {
  const { rows } = await pool.query<InvoiceRow>({
    name: 'invoices-to-match',
    text: `select n.number, i.account_id, i.currency, i.due_date,
                  i.total - i.paid - i.credited - i.written_off as due,
                  nullif(a.state ->> 'profile', '') as profile,
                  a.state -> 'billing' -> 'profile' ->> 'id' as buyer
             from invoice_number n
             join invoice i on i.lane = n.account_lane and i.id = n.document_id
             left join ledger_account a on a.lane = i.lane and a.account_id = i.account_id
            where n.lane = ${SYSTEM_LANE} and n.type = 'invoice'
              and (i.currency = any ($1) and i.paid + i.credited + i.written_off < i.total
                   or n.number = any ($2))`,
    values: [currencies, numbers],
  });
  const ids = rows.flatMap(({ profile, buyer }) => [profile, buyer]);
  const texts = await findProfiles(pool, [...new Set(ids.filter((id) => id !== null))]);
  return rows.map(({ profile, buyer, ...row }) => {
    const names = [texts.get(profile ?? '')?.name, texts.get(buyer ?? '')?.buyer?.name];
    return { ...row, names: names.filter((name) => name !== undefined) };
  });
}
