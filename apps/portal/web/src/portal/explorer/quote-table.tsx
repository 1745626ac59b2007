import { formatCredits, formatNumber } from '../../format/credits.js';
import type { Quote, QuotedUrl, RefusedUrl } from '../../rest/data-answers.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/page.js';
import { KindPill, Pill } from '../../ui/pill.js';
import { Heads, Table, mainCell, numberCell } from '../../ui/table.js';
import { ResourceName } from '../resource-name.js';

function isPriced(item: QuotedUrl | RefusedUrl): item is QuotedUrl {
  return 'key' in item;
}

/** Prices in the order of the asking; what is wrong with a URL stands in its place. */
export function QuoteTable({ quote }: { readonly quote: Quote }) {
  const priced = quote.items.filter(isPriced);
  const next = priced.reduce((sum, item) => sum + item.next_window_credits, 0);
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
        title={`${formatCredits(quote.total_credits)} now, ${formatCredits(next)} from next Tuesday on`}
        aside={wrong > 0 ? `${wrong} could not be priced` : undefined}
      >
        <Table label="Quote" head={COLUMNS}>
          {quote.items.map((item, index) => (
            // The same URL may be asked for twice: its second call is a repeat.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>{isPriced(item) ? <Priced item={item} /> : <Refused item={item} />}</tr>
          ))}
        </Table>
      </Panel>
    </>
  );
}

const COLUMNS = <Heads of={['URL', 'Kind', 'Rule', '#Call + data', '#Now', '#Next Tuesday']} />;

function Priced({ item }: { readonly item: QuotedUrl }) {
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
      <td className={numberCell}>{formatNumber(item.next_window_credits)}</td>
    </>
  );
}

function Refused({ item: { url, problem } }: { readonly item: RefusedUrl }) {
  const parameters = (problem.parameters ?? []).map(({ name, value, detail, allowed }) =>
    allowed === undefined
      ? `${name}: ${detail ?? value}`
      : `${name} is one of ${allowed.join(', ')}`,
  );
  return (
    <>
      <td className={mainCell}>
        <code>{url}</code>
      </td>
      <td colSpan={5} className={mainCell}>
        <Pill tone="bad">{problem.title}</Pill>{' '}
        {parameters.length > 0 ? parameters.join('; ') : problem.detail}
      </td>
    </>
  );
}
