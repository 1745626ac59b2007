import { Link } from '@tanstack/react-router';
import { Moment } from '../../ui/moment.js';
import { useZones } from '../../ui/zones.js';
import css from '../console.module.css';
import { eventWords } from './event-words.js';
import type { AuditEntry } from '../../rest/answers.js';

/** Of these nobody may be known. */
const SIGN_INS = new Set(['SignedIn', 'SignInFailed', 'RoleDenied']);

interface TimelineProps {
  readonly entries: readonly AuditEntry[];
  readonly currency: string;
  /** Whether the account has a clock of its own, whose time is shown. */
  readonly hasOwnTime?: boolean;
}

/** Changes as sentences: what, by whom and why; the stored event on demand. */
export function Timeline({ entries, currency, hasOwnTime = false }: TimelineProps) {
  const { shown } = useZones();
  return (
    <ol className={css.timeline}>
      {entries.map((entry) => {
        const { title, details, tone } = eventWords(entry.type, entry.data, {
          currency,
          zone: shown,
        });
        return (
          <li key={entryKey(entry)} className={css.entry} data-tone={tone}>
            <div className={css.when}>
              <Moment at={(hasOwnTime ? entry.account_at : null) ?? entry.at} />
            </div>
            <div className={css.what}>
              <strong>{title}</strong> {details} <InvoiceLink entry={entry} />
              <div className={css.why}>
                <span>
                  {byWhom(entry)}
                  {entry.reason !== null && ` – “${entry.reason}”`}
                </span>
                <RawEvent entry={entry} />
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The invoice that an event is about. */
function InvoiceLink({ entry: { data } }: { readonly entry: AuditEntry }) {
  const { invoice_id: id } = data;
  if (typeof id !== 'string') return null;
  return <Link to={`/invoices/${id}` as string}>Open the invoice</Link>;
}

/** A key that is unique among the entries of a list. */
export function entryKey({ at, type, by, lane, position, data }: AuditEntry): string {
  return lane === null ? JSON.stringify([at, type, by, data]) : `${lane} ${position}`;
}

/** Who made a change, in words. */
export function byWhom({
  by,
  by_name: name,
  type,
}: Pick<AuditEntry, 'by' | 'by_name' | 'type'>): string {
  if (by === null && SIGN_INS.has(type)) return 'by nobody known';
  if (by === null) return 'by a command or the service';
  if (by === 'system') return 'by the service';
  if (by === 'owner') return 'by the owner’s token';
  return `by ${name ?? `token ${by.slice(0, 8)}`}`;
}

/** The event as it is stored, or what was counted. */
export function RawEvent({ entry }: { readonly entry: AuditEntry }) {
  return (
    <details className={css.raw}>
      <summary>
        {entry.lane === null
          ? entry.type
          : `${entry.type}, lane ${entry.lane}, position ${entry.position}`}
      </summary>
      <pre className={css.code}>{JSON.stringify(entry.data, null, 2)}</pre>
    </details>
  );
}
