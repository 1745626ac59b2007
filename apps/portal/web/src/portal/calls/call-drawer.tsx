import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCredits, formatNumber } from '../../format/credits.js';
import type { Explanation } from '../../rest/answers.js';
import { explanationQuery } from '../../rest/queries.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { KindPill, Pill } from '../../ui/pill.js';
import { CallDisputes } from '../disputes/call-disputes.js';
import { ResourceName } from '../resource-name.js';
import { useAccount } from '../session.js';
import { useKeyLabel } from '../use-key-label.js';
import css from './calls.module.css';

interface CallDrawerProps {
  /** Null: closed. */
  readonly callId: string | null;
  readonly onClose: () => void;
}

/** Why one call cost what it cost. */
export function CallDrawer({ callId, onClose }: CallDrawerProps) {
  return (
    <Drawer
      opened={callId !== null}
      onClose={onClose}
      position="right"
      size="min(560px, 100vw)"
      title="Why did this cost that?"
      closeButtonProps={CLOSE}
    >
      {callId !== null && <Explained callId={callId} />}
    </Drawer>
  );
}

function Explained({ callId }: { readonly callId: string }) {
  const explanation = useQuery(explanationQuery(callId));
  return (
    <Loaded of={explanation} rows={9}>
      {(call) => (
        <>
          <div className={css.sum}>
            <strong>{formatCredits(call.credits_used)}</strong>
            <KindPill kind={call.kind} />
            {call.adjusted_by !== null && <Pill tone="info">given back</Pill>}
            {call.credited_by.length > 0 && <Pill tone="info">credited</Pill>}
          </div>
          <p>{reasonOf(call)}</p>
          <Asked call={call} />
          <Price call={call} />
          <Paid call={call} />
          <Recorded call={call} />
          <h3 className={css.heading}>Dispute</h3>
          <CallDisputes callId={call.call_id} />
        </>
      )}
    </Loaded>
  );
}

function reasonOf(call: Explanation): string {
  const fee = formatNumber(call.call_cost);
  if (call.kind === 'repeat') {
    return `Its data was paid for already in window ${call.window}: a repeat costs ${fee} credits, whatever it answers.`;
  }
  const data = formatNumber(call.data_cost);
  return `The first call of this URL in window ${call.window}: ${fee} credits for the call and ${data} for its data.`;
}

/** A fact by its name. */
function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
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

function Asked({ call }: { readonly call: Explanation }) {
  const label = useKeyLabel(call.api_key_id);
  const tags = Object.entries(call.tags ?? {});
  return (
    <Facts title="What was asked">
      <Fact name="Resource">
        <ResourceName path={call.key} />
      </Fact>
      <Fact name="Sent as">
        <code>{call.asked}</code>
      </Fact>
      <Fact name="At">
        <Moment at={call.at} />
      </Fact>
      <Fact name="With API key">{label}</Fact>
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

function Price({ call }: { readonly call: Explanation }) {
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
            <Link from="/calls" to="/calls" search={(now) => ({ ...now, call: opened.call_id })}>
              The call
            </Link>{' '}
            of <Moment at={opened.at} />
          </>
        )}
      </Fact>
    </Facts>
  );
}

function Paid({ call }: { readonly call: Explanation }) {
  const { grants } = useAccount();
  const nameOf = (id: string) => {
    const grant = grants.find((each) => each.id === id);
    return grant === undefined ? `Grant ${id.slice(0, 8)}` : `${grant.kind} grant`;
  };
  return (
    <Facts title="Where the credits came from">
      <Fact name="Balance">
        {formatNumber(call.balance_before)} → {formatNumber(call.balance_after)}
      </Fact>
      {call.draws.map((draw) => (
        <Fact key={draw.grant_id} name={nameOf(draw.grant_id)}>
          <span title={draw.grant_id}>{formatCredits(draw.credits)}</span>
        </Fact>
      ))}
      {call.overdraft_credits > 0 && (
        <Fact name="Overdraft">{formatCredits(call.overdraft_credits)}</Fact>
      )}
    </Facts>
  );
}

function Recorded({ call }: { readonly call: Explanation }) {
  const line = call.invoice_line;
  return (
    <Facts title="Where it stands">
      <Fact name="Call">
        <code>{call.call_id}</code>
      </Fact>
      <Fact name="Log">
        lane {call.log.lane}, position {formatNumber(call.log.position)}; event{' '}
        {formatNumber(call.log.account_version)} of this account
      </Fact>
      <Fact name="Invoice">
        {line === null ? (
          'Its month is not invoiced yet'
        ) : (
          <Link to="/invoices/$number" params={{ number: line.number }}>
            {line.number}, line {line.line}
          </Link>
        )}
      </Fact>
    </Facts>
  );
}
