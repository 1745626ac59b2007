import type { ReactNode } from 'react';
import { formatCredits, formatNumber } from '../../format/credits.js';
import { Moment } from '../../ui/moment.js';
import { KindPill, Pill } from '../../ui/pill.js';
import css from './calls.module.css';
import type { CallExplanation } from '../../rest/answers.js';

/** How the pages of one side name and link what a call has to do with. */
export interface CallWords {
  readonly resource: (path: string) => ReactNode;
  readonly apiKey: (id: string) => ReactNode;
  readonly grant: (id: string) => string;
  readonly call: (id: string) => ReactNode;
  readonly invoice: (number: string, line: number) => ReactNode;
  /** Credits as money before tax; undefined where they have no price. */
  readonly worth?: (credits: number) => string | undefined;
}

interface CallExplainedProps {
  readonly call: CallExplanation;
  readonly words: CallWords;
  /** Further facts about where it stands. */
  readonly children?: ReactNode;
}

/** Why one call cost what it cost. */
export function CallExplained({ call, words, children }: CallExplainedProps) {
  const worth = words.worth?.(call.credits_used);
  return (
    <>
      <div className={css.sum}>
        <strong>{formatCredits(call.credits_used)}</strong>
        {worth !== undefined && <span>{worth} before tax</span>}
        <KindPill kind={call.kind} />
        {call.adjusted_by !== null && <Pill tone="info">given back</Pill>}
        {call.credited_by.length > 0 && <Pill tone="info">credited</Pill>}
      </div>
      <p>{reasonOf(call)}</p>
      <Asked call={call} words={words} />
      <Price call={call} words={words} />
      <Paid call={call} words={words} />
      <Recorded call={call} words={words}>
        {children}
      </Recorded>
    </>
  );
}

function reasonOf(call: CallExplanation): string {
  const fee = formatNumber(call.call_cost);
  if (call.kind === 'repeat') {
    return `Its data was paid for already in window ${call.window}: a repeat costs ${fee} credits, whatever it answers.`;
  }
  const data = formatNumber(call.data_cost);
  if (call.kind === 'each')
    return `Each call pays: ${fee} credits for the call and ${data} for its data.`;
  return `The first call of this URL in window ${call.window}: ${fee} credits for the call and ${data} for its data.`;
}

/** A fact by its name. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Where the event of a call stands in the log. */
export function LogPlace({ call: { log } }: Pick<CallExplainedProps, 'call'>) {
  return (
    <Fact name="Log">
      lane {log.lane}, position {formatNumber(log.position)}; event{' '}
      {formatNumber(log.account_version)} of this account
    </Fact>
  );
}

function Facts({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <h3 className={css.heading}>{title}</h3>
      <dl className={css.facts}>{children}</dl>
    </>
  );
}

function Asked({ call, words }: CallExplainedProps) {
  const tags = Object.entries(call.tags ?? {});
  return (
    <Facts title="What was asked">
      <Fact name="Resource">{words.resource(call.key)}</Fact>
      <Fact name="At">
        <Moment at={call.at} />
      </Fact>
      <Fact name="With API key">{words.apiKey(call.api_key_id)}</Fact>
      {tags.length > 0 && (
        <Fact name="Tags">{tags.map(([name, value]) => `${name}=${value}`).join(', ')}</Fact>
      )}
      <Fact name="Answered">
        {formatNumber(call.rows)} {call.rows === 1 ? 'row' : 'rows'} of release {call.release}
        {call.data_window !== call.window && `, as of window ${call.data_window}`}
      </Fact>
    </Facts>
  );
}

function Price({ call, words }: CallExplainedProps) {
  const opened = call.opened_by;
  return (
    <Facts title="How it was priced">
      <Fact name="Rule">
        “{call.rule}” of rate card {call.rate_card}
      </Fact>
      <Fact name="Call + data">
        {formatNumber(call.call_cost)} + {formatNumber(call.data_cost)} ={' '}
        {formatCredits(call.credits_used)}
      </Fact>
      <Fact name="Window">
        {call.window}: <Moment at={call.window_starts_at} /> to <Moment at={call.window_ends_at} />
      </Fact>
      <Fact name="Paid for by">
        {opened === null || opened.call_id === call.call_id ? (
          'This call, the first of its URL in the window'
        ) : (
          <>
            {words.call(opened.call_id)} of <Moment at={opened.at} />
          </>
        )}
      </Fact>
    </Facts>
  );
}

function Paid({ call, words }: CallExplainedProps) {
  return (
    <Facts title="Where the credits came from">
      <Fact name="Balance">
        {formatNumber(call.balance_before)} before, {formatNumber(call.balance_after)} after
      </Fact>
      {call.draws.map((draw) => (
        <Fact key={draw.grant_id} name={words.grant(draw.grant_id)}>
          <span title={draw.grant_id}>{formatCredits(draw.credits)}</span>
        </Fact>
      ))}
      {call.overdraft_credits > 0 && (
        <Fact name="Overdraft">{formatCredits(call.overdraft_credits)}</Fact>
      )}
    </Facts>
  );
}

function Recorded({ call, words, children }: CallExplainedProps) {
  const line = call.invoice_line;
  return (
    <Facts title="Where it stands">
      <Fact name="Call">
        <code>{call.call_id}</code>
      </Fact>
      <Fact name="Invoice">
        {line === null ? 'Its month is not invoiced yet' : words.invoice(line.number, line.line)}
      </Fact>
      {children}
    </Facts>
  );
}
