import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { addDays } from '../../format/days.js';
import { formFaults } from '../../rest/problem.js';
import { query } from '../../rest/request.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Moment } from '../../ui/moment.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { Heads, Table, mainCell } from '../../ui/table.js';
import { useZones } from '../../ui/zones.js';
import css from '../console.module.css';
import type { AuditEntry } from '../rest/admin-answers.js';
import { ADMIN, auditQuery } from '../rest/admin-queries.js';
import { eventWords } from './event-words.js';
import { byWhom, entryKey, RawEvent } from './timeline.js';

const TYPING_MS = 300;
const FILTERS = [
  { name: 'account_id', label: 'Account', placeholder: 'Id', type: 'text' },
  { name: 'by', label: 'By', placeholder: 'Token id or owner', type: 'text' },
  { name: 'from', label: 'From', placeholder: '', type: 'date' },
  { name: 'to', label: 'To', placeholder: '', type: 'date' },
] as const;

const NAMES = FILTERS.map(({ name }) => name);

/** Who changed what, when and why, of all accounts and of the service, and who signed in. */
export function AuditPage() {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [shown] = useDebouncedValue(typed, TYPING_MS);
  const filter = { ...shown, ...(shown.to && { to: addDays(shown.to, 1) }) };
  const entries = useInfiniteQuery(auditQuery(filter));
  const { fields } = formFaults(entries.error, NAMES);
  return (
    <Page
      wide
      title="Audit log"
      lead="Every change and the sign-ins of 90 days, newest first, at their real time."
      actions={
        <DownloadButton
          path={`${ADMIN}/audit${query({ order: 'desc', ...filter })}`}
          file="audit.csv"
        />
      }
    >
      <div className={css.filters}>
        {FILTERS.map(({ name, label, placeholder, type }) => (
          <TextInput
            key={name}
            type={type}
            label={label}
            placeholder={placeholder}
            error={fields[name]}
            value={typed[name] ?? ''}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setTyped((before) => ({ ...before, [name]: value.trim() }));
            }}
          />
        ))}
      </div>
      <Panel flush>
        <Paged of={entries} rows={10} empty={<Empty title="No change fits" />}>
          {(items) => (
            <Table label="Changes" head={<Heads of={['Time', 'What', 'By', 'Why', 'Account']} />}>
              {items.map((entry) => (
                <EntryRow key={entryKey(entry)} entry={entry} />
              ))}
            </Table>
          )}
        </Paged>
      </Panel>
    </Page>
  );
}

function EntryRow({ entry }: { readonly entry: AuditEntry }) {
  const { shown } = useZones();
  const { title, details } = eventWords(entry.type, entry.data, { currency: 'USD', zone: shown });
  const { account_id: id } = entry;
  return (
    <tr>
      <td>
        <Moment at={entry.at} />
      </td>
      <td className={mainCell}>
        <strong>{title}</strong> {details}
        <RawEvent entry={entry} />
      </td>
      <td className={mainCell}>{byWhom(entry).replace(/^by /, '')}</td>
      <td className={mainCell}>{entry.reason ?? '–'}</td>
      <td>{id === null ? '–' : <Link to={`/accounts/${id}` as string}>{id.slice(0, 8)}…</Link>}</td>
    </tr>
  );
}
