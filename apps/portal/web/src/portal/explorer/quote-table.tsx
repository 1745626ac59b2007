import { formatCredits, formatNumber } from '../../format/credits.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { KindPill, Pill } from '../../ui/pill.js';
import { SortedTable, type SortedColumn } from '../../ui/sorted-table.js';
import { mainCell, numberCell } from '../../ui/table.js';
import { useWorth } from '../credit-price.js';
import { ResourceName } from '../resource-name.js';
import type { Quote, QuotedUrl, RefusedUrl } from '../../rest/answers.js';

function isPriced(item: QuotedUrl | RefusedUrl): item is QuotedUrl {
  return 'key' in item;
}

/** Prices in the order of the asking; what is wrong with a URL stands in its place. */
export function QuoteTable({ quote }: { readonly quote: Quote }) {
  const priced = quote.items.filter(isPriced);
  const next = priced.reduce((sum, item) => sum + item.next_window_credits, 0);
  // The same URL may be asked for twice: its second call is a repeat.
  const rows = quote.items.map((item, place) => ({ item, place }));
  const worth = useWorth();
  const now = worth(quote.total_credits);
  const wrong = quote.items.length - priced.length;
  return (
    <>
      {!quote.affordable && (
        <Notice tone="warn">
          {quote.shortfall_credits > 0
            ? `${formatCredits(quote.shortfall_credits)} are missing for all of these calls.`
            : 'Not all of these calls could be made now.'}
        </Notice>
      )}
      <Panel
        flush
        title={`${formatCredits(quote.total_credits)}${now === undefined ? '' : ` ${now} before tax`} now, ${formatCredits(next)} from next Tuesday on`}
        aside={wrong > 0 ? `${wrong} could not be priced` : undefined}
      >
        <SortedTable label="Quote" columns={COLUMNS} rows={rows}>
          {({ item, place }) => (
            <tr key={place}>{isPriced(item) ? <Priced item={item} /> : <Refused item={item} />}</tr>
          )}
        </SortedTable>
      </Panel>
    </>
  );
}

interface QuoteRow {
  readonly item: QuotedUrl | RefusedUrl;
  readonly place: number;
}

/** A column of what has a price. */
function column(
  name: string,
  label: string,
  of: (item: QuotedUrl) => string | number,
  isNumber = true,
): SortedColumn<QuoteRow> {
  return { name, label, isNumber, value: ({ item }) => (isPriced(item) ? of(item) : null) };
}

const COLUMNS: readonly SortedColumn<QuoteRow>[] = [
  { name: 'url', label: 'URL', value: ({ item }) => (isPriced(item) ? item.key : item.url) },
  column('kind', 'Kind', ({ kind }) => kind, false),
  column('rule', 'Rule', ({ rule }) => rule ?? '', false),
  column('costs', 'Call + data', (item) => item.call_cost + item.data_cost),
  column('now', 'Now', ({ credits }) => credits),
  column('worth', '≈ before tax', ({ credits }) => credits),
  column('next', 'Next Tuesday', (item) => item.next_window_credits),
];

function Priced({ item }: { readonly item: QuotedUrl }) {
  const worth = useWorth()(item.credits);
  return (
    <>
      <td className={mainCell}>
        <ResourceName path={item.key} />
        {item.problem !== null && <Pill tone="bad">{item.problem.title}</Pill>}
      </td>
      <td>
        <KindPill kind={item.kind} />
      </td>
      <td>{item.rule}</td>
      <td className={numberCell}>
        {formatNumber(item.call_cost)} + {formatNumber(item.data_cost)}
      </td>
      <td className={numberCell}>{formatNumber(item.credits)}</td>
      <td className={numberCell}>{worth?.replace('≈ ', '') ?? '–'}</td>
      <td className={numberCell}>{formatNumber(item.next_window_credits)}</td>
    </>
  );
}

function Refused({ item: { url, problem } }: { readonly item: RefusedUrl }) {
  return (
    <>
      <td className={mainCell}>
        <code>{url}</code>
      </td>
      <td colSpan={6} className={mainCell}>
        <Pill tone="bad">{problem.title}</Pill> {problem.detail}
      </td>
    </>
  );
}
