import { Button, FileButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCount } from '../../format/credits.js';
import { formatMoney, sumsByCurrency } from '../../format/money.js';
import { useChangeRefusal } from '../../form/change-refusal.js';
import type { BankProposals } from '../../rest/answers.js';
import { formFaults } from '../../rest/problem.js';
import { upload } from '../../rest/request.js';
import { useChange } from '../../rest/use-change.js';
import { main, money } from '../../ui/columns.js';
import { DataTable, type Columns } from '../../ui/data-table.js';
import { FormFaultsNotice } from '../../ui/form-faults.js';
import { Notice, ProblemNotice } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { admin } from '../admin.js';
import css from '../console.module.css';
import {
  accountOf,
  columnsOf,
  confirmedOf,
  isDone,
  WORDS,
  type Booked,
  type Choice,
  type Choices,
  type Entry,
} from './bank-entries.js';

/** The service takes so many with one request. */
const BOOKED_MAX = 200;
/** Payments by a statement of a bank: proposed, chosen, booked. */
export function BankPage() {
  const [round, setRound] = useState(0);
  const read = useMutation({
    mutationFn: (file: File) => {
      const type = /\.csv$/i.test(file.name) ? 'text/csv' : 'application/xml';
      return upload<BankProposals>(admin.proposeBankPayments(), file, type);
    },
    onSuccess: () => setRound(round + 1),
  });
  const refusal = useChangeRefusal();
  const { data, error, isPending, variables } = read;
  return (
    <Page
      wide
      title="Bank statements"
      lead="Upload a statement of your bank. Its payments are matched with open invoices, and you choose what is booked. Each payment is booked once, however often you upload it."
      actions={
        <FileButton
          accept=".xml,.csv,.camt"
          inputProps={{ 'aria-label': 'Bank statement' }}
          onChange={(file) => file !== null && read.mutate(file)}
        >
          {(props) => (
            <Button
              {...props}
              loading={isPending}
              disabled={refusal !== undefined}
              {...(refusal !== undefined && { title: refusal })}
            >
              Choose a statement
            </Button>
          )}
        </FileButton>
      }
    >
      {error !== null && <FormFaultsNotice faults={formFaults(error, [])} />}
      {data === undefined ? (
        <Panel title="Files that are read">
          <p className={css.note}>
            camt.053 (XML) of any version, or a CSV with columns for date, amount and currency, and
            for reference, name, IBAN and id where your bank has them. At most 2 MB. The file is not
            kept, and nothing is booked before you confirm it.
          </p>
        </Panel>
      ) : (
        <Proposals key={round} of={data} file={variables?.name ?? ''} />
      )}
    </Page>
  );
}

interface ProposalsProps {
  readonly of: BankProposals;
  readonly file: string;
}

function Proposals({ of, file }: ProposalsProps) {
  const { entries } = of;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(entries.filter((one) => one.outcome === 'proposed').map(({ id }) => id)),
  );
  const [choices, setChoices] = useState<Choices>({});
  const [booked, setBooked] = useState<ReadonlyMap<string, Booked>>(new Map());
  const change = useChange();
  const ready = entries.filter((one) => {
    const isOpen = one.outcome !== 'ignored' && !isDone(booked.get(one.id));
    return isOpen && chosen.has(one.id) && accountOf(one, choices) !== null;
  });
  const book = useMutation({
    mutationFn: async () => {
      for (let from = 0; from < ready.length; from += BOOKED_MAX) {
        const part = ready.slice(from, from + BOOKED_MAX).map((one) => confirmedOf(one, choices));
        const answer = await change(admin.bookBankEntries(), { entries: part });
        setBooked(
          (all) => new Map([...all, ...answer.entries.map((one) => [one.id, one] as const)]),
        );
      }
    },
  });
  const toggle = (id: string, isChosen: boolean) => {
    const others = [...chosen].filter((one) => one !== id);
    setChosen(new Set(isChosen ? [...others, id] : others));
  };
  const choose = (id: string, choice: Choice) => {
    setChoices({ ...choices, [id]: choice });
    toggle(id, choice.account !== null);
  };
  const columns = columnsOf({ chosen, choices, booked, toggle, choose });
  return (
    <>
      <Checks of={of} />
      <Sums of={of} file={file} />
      {book.isError && <ProblemNotice error={book.error} onRetry={() => book.mutate()} />}
      <Outcome of={[...booked.values()]} />
      <Panel
        flush
        title="Entries"
        aside={
          <Button
            loading={book.isPending}
            disabled={ready.length === 0}
            onClick={() => book.mutate()}
          >
            {ready.length === 0
              ? 'Nothing is chosen'
              : `Book ${formatCount(ready.length, 'payment')}: ${sumText(ready)}`}
          </Button>
        }
      >
        <DataTable label="Entries" columns={columns} rows={entries} isFixed keyOf={placeOf} />
      </Panel>
    </>
  );
}

/** An entry may stand in a file twice. */
function placeOf({ place }: Entry): string {
  return place;
}

function sumText(entries: readonly { readonly amount: number; readonly currency: string }[]) {
  return sumsByCurrency(entries, ({ amount }) => amount)
    .map(({ minor, currency }) => formatMoney(minor, currency))
    .join(' and ');
}

function Checks({ of: { statements } }: { readonly of: BankProposals }) {
  return statements
    .filter(({ adds_up: addsUp }) => addsUp === false)
    .map(({ number, currency, opening, booked, closing }) => (
      <Notice
        key={number}
        tone="warn"
        title={`The balances of statement ${number ?? ''} do not agree with its entries.`}
      >
        {formatMoney(opening ?? 0, currency)} and entries of {formatMoney(booked, currency)} are not{' '}
        {formatMoney(closing ?? 0, currency)}: the file may lack entries.
      </Notice>
    ));
}

function Sums({ of: { totals, statements, format }, file }: ProposalsProps) {
  const agrees = statements.every(({ adds_up: addsUp }) => addsUp === true);
  const rows = totals.flatMap(({ currency, read, outcomes }) => [
    ...outcomes
      .filter(({ entries }) => entries > 0)
      .map((one) => ({ ...one, currency, outcome: WORDS[one.outcome] as string })),
    {
      outcome: 'Sum of the file',
      entries: outcomes.reduce((sum, { entries }) => sum + entries, 0),
      amount: read,
      currency,
    },
  ]);
  return (
    <Panel flush title={file} aside={agrees ? `${format}, balances agree` : format}>
      <DataTable label="Sums" columns={SUMS} rows={rows} isFixed />
    </Panel>
  );
}

const SUMS: Columns<{
  readonly outcome: string;
  readonly entries: number;
  readonly amount: number;
  readonly currency: string;
}> = [
  main('Entries', ({ outcome }) => outcome),
  { label: 'Count', kind: 'number', cell: ({ entries }) => entries },
  money(
    'Amount',
    ({ amount }) => amount,
    ({ currency }) => currency,
  ),
];

function Outcome({ of }: { readonly of: readonly Booked[] }) {
  if (of.length === 0) return null;
  const made = of.filter(({ outcome }) => outcome === 'booked');
  const refused = of.filter(({ outcome }) => outcome === 'refused');
  const sum = made.length > 0 ? `: ${sumText(made)}` : '';
  return (
    <Notice
      tone={refused.length > 0 ? 'warn' : 'good'}
      title={`${formatCount(made.length, 'payment')} booked${sum}`}
    >
      {refused.length > 0
        ? `${refused.length} refused: the reasons stand beside them. Correct them and book them again.`
        : 'All that you chose is booked.'}
    </Notice>
  );
}
