import { Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DownloadButton } from '../../ui/download-button.js';
import { Page, Panel } from '../../ui/page.js';
import css from '../console.module.css';
import { admin } from '../admin.js';
import { useToday } from '../console-session.js';
import { CloseMonth } from './close-month.js';
import { monthBefore } from './month-before.js';

const FORMATS = [
  { format: 'csv', ending: 'csv', accept: 'text/csv', label: 'CSV, a row a line' },
  { format: 'jsonl', ending: 'jsonl', accept: '*/*', label: 'JSON lines' },
  { format: 'zip', ending: 'zip', accept: '*/*', label: 'ZIP of all documents' },
] as const;

/** By the dates of the postings, whichever month of documents is chosen. */
const JOURNALS = [
  { format: 'journal', label: 'CSV, double entry' },
  { format: 'datev', label: 'DATEV, Buchungsstapel' },
] as const;

/** Of costs there is no month of issue. */
const FOCUS = [
  { ending: 'csv', accept: 'text/csv', label: 'FOCUS 1.2, CSV' },
  { ending: 'jsonl', accept: 'application/jsonl', label: 'FOCUS 1.2, JSON lines' },
] as const;

const BY = [
  { value: 'month', label: 'Month of supply' },
  { value: 'issued_month', label: 'Month of issue' },
];

/** Files of a month for bookkeeping. */
export function ExportsPage() {
  const today = useToday();
  const [month, setMonth] = useState(() => monthBefore(today));
  const [by, setBy] = useState('month');
  const [test, setTest] = useState(false);
  return (
    <Page
      title="Exports"
      lead="Invoices, credit notes and payments of a month, its costs and usage, and what is owed."
    >
      <div className={css.filters}>
        <TextInput
          type="month"
          label="Month"
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        <SegmentedControl aria-label="Which month" data={BY} value={by} onChange={setBy} />
        <Checkbox
          className={css.check}
          label="Test accounts"
          checked={test}
          onChange={(event) => setTest(event.currentTarget.checked)}
        />
      </div>
      <CloseMonth month={month} />
      <Documents month={month} by={by} test={test} />
      <Journals month={month} test={test} />
      <Costs month={month} test={test} />
      <Panel title="Open items" aside="what all customers owe today, with reminders">
        <DownloadButton
          of={admin.exportOpenItems({ test })}
          file={`open-items-${today}.csv`}
          label="CSV, invoice by invoice"
        />
      </Panel>
      <Panel
        title="Credit liability"
        aside="opening, sold, used, expired, voided and closing of the month"
      >
        <DownloadButton
          of={admin.exportCreditLiability({ month, test })}
          file={`credit-liability-${month}.csv`}
          label="CSV, grant by grant"
        />
      </Panel>
      <Panel title="Revenue schedule" aside="deferred, recognised and expected to expire, by month">
        <DownloadButton
          of={admin.exportRevenueSchedule({
            from: `${month.slice(0, 4)}-01`,
            to: month,
            test,
          })}
          file={`revenue-schedule-${month}.csv`}
          label="CSV, the year up to this month"
        />
      </Panel>
    </Page>
  );
}

interface MonthProps {
  readonly month: string;
  readonly test: boolean;
}

function Documents({ month, by, test }: MonthProps & { readonly by: string }) {
  return (
    <Panel
      title="Invoices, credit notes and payments"
      aside={by === 'month' ? 'by month of supply' : 'by month of issue and payment'}
    >
      <div className={css.pills}>
        {FORMATS.map(({ format, ending, accept, label }) => (
          <DownloadButton
            key={format}
            of={admin.exportInvoices({ [by]: month, format, test })}
            file={`invoices-${month}-${format}.${ending}`}
            label={label}
            accept={accept}
          />
        ))}
      </div>
    </Panel>
  );
}

function Journals({ month, test }: MonthProps) {
  return (
    <Panel title="Journal" aside="by month of the posting dates">
      <div className={css.pills}>
        {JOURNALS.map(({ format, label }) => (
          <DownloadButton
            key={format}
            of={admin.exportInvoices({ issued_month: month, format, test })}
            file={`${format}-${month}.csv`}
            label={label}
            accept="text/csv"
          />
        ))}
      </div>
    </Panel>
  );
}

function Costs({ month, test }: MonthProps) {
  return (
    <Panel title="Costs and usage" aside="by month of supply, for tools that read FOCUS">
      <div className={css.pills}>
        {FOCUS.map(({ ending, accept, label }) => (
          <DownloadButton
            key={ending}
            of={admin.exportInvoices({ month, format: 'focus', test })}
            file={`focus-${month}.${ending}`}
            label={label}
            accept={accept}
          />
        ))}
      </div>
    </Panel>
  );
}
