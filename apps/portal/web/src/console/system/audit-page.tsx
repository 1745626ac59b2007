import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addDays } from '../../format/days.js';
import { formFaults } from '../../rest/problem.js';
import { DownloadButton } from '../../ui/download-button.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { useDaysOf, useZones } from '../../ui/zones.js';
import { AccountLink } from '../accounts/account-link.js';
import { AccountPicker } from '../accounts/account-picker.js';
import css from '../console.module.css';
import { eventWords } from './event-words.js';
import { byWhom, entryKey, RawEvent } from './timeline.js';
import { admin } from '../admin.js';
import type { AuditEntry } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';
import { main, moment } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';

const TYPING_MS = 300;
const FILTERS = [
  { name: 'by', label: 'By', placeholder: 'Token id or owner', type: 'text' },
  { name: 'from', label: 'From', placeholder: '', type: 'date' },
  { name: 'to', label: 'To', placeholder: '', type: 'date' },
] as const;

const NAMES = ['account_id', ...FILTERS.map(({ name }) => name)];

/** Who changed what, when and why, of all accounts and of the service, and who signed in. */
export function AuditPage() {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [shown] = useDebouncedValue(typed, TYPING_MS);
  const filter = { ...shown, ...(shown.to && { to: addDays(shown.to, 1) }) };
  const entries = useInfiniteQuery(pages(admin.listAudit({ order: 'desc', ...filter })));
  const { fields } = formFaults(entries.error, NAMES);
  const zone = useDaysOf();
  return (
    <Page
      wide
      title="Audit log"
      lead="Every change, and the sign-ins of 90 days. Newest first."
      actions={
        <DownloadButton of={admin.listAudit({ order: 'desc', ...filter })} file="audit.csv" />
      }
    >
      <div className={css.filters}>
        <AccountPicker
          value={typed['account_id'] || null}
          onChange={(id) => setTyped((before) => ({ ...before, account_id: id ?? '' }))}
        />
        {FILTERS.map(({ name, label, placeholder, type }) => (
          <TextInput
            key={name}
            type={type}
            label={type === 'date' ? label + zone : label}
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
            <DataTable label="Changes" columns={COLUMNS} rows={items} keyOf={entryKey} isFixed />
          )}
        </Paged>
      </Panel>
    </Page>
  );
}

const COLUMNS: Columns<AuditEntry> = [
  moment('Time', ({ at }) => at),
  { label: 'What', kind: 'main', cell: (entry) => <What of={entry} /> },
  main('By', (entry) => byWhom(entry).replace(/^by /, '')),
  main('Why', ({ reason }) => reason, '–'),
  {
    label: 'Account',
    cell: ({ account_id: id, account_name: name }) =>
      id === null ? '–' : <AccountLink of={{ account_id: id, account_name: name }} />,
  },
];

function What({ of: entry }: { readonly of: AuditEntry }) {
  const { shown } = useZones();
  const { title, details } = eventWords(entry.type, entry.data, { currency: 'USD', zone: shown });
  return (
    <>
      <strong>{title}</strong> {details}
      <RawEvent entry={entry} />
    </>
  );
}
