import { Drawer } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  CallExplained,
  Fact,
  LogPlace,
  type CallWords,
} from '../../account/calls/call-explained.js';
import { ResourceWords } from '../../account/resource-words.js';
import { NoCall } from '../../account/calls/no-call.js';
import { formatCredits, formatNumber } from '../../format/credits.js';
import { CLOSE } from '../../ui/confirm-button.js';
import { CopyText } from '../../ui/copy-text.js';
import { Loaded } from '../../ui/loaded.js';
import { Moment } from '../../ui/moment.js';
import { GIVE_BACK } from '../accounts/account-fields.js';
import css from '../console.module.css';
import { useCatalogNames } from './use-catalog-names.js';
import { admin } from '../admin.js';
import type { Account, CallExplanation } from '../../rest/answers.js';
import { one, pages } from '../../rest/reads.js';
import { ChangeButton } from '../../form/change-button.js';

interface CallDrawerProps {
  /** Null: closed. */
  readonly callId: string | null;
  readonly onClose: () => void;
  readonly onOpen: (callId: string) => void;
}

/** Why one call cost what it cost, with all that operators know about it. */
export function CallDrawer({ callId, onClose, onOpen }: CallDrawerProps) {
  return (
    <Drawer
      opened={callId !== null}
      onClose={onClose}
      position="right"
      size="min(620px, 100vw)"
      title="Why it cost that"
      closeButtonProps={CLOSE}
    >
      {callId !== null && <Read callId={callId} onOpen={onOpen} />}
    </Drawer>
  );
}

function Read({ callId, onOpen }: { readonly callId: string } & Pick<CallDrawerProps, 'onOpen'>) {
  const explanation = useQuery(one(admin.explainCall({ call_id: callId })));
  return (
    <Loaded of={explanation} rows={10} missing={<NoCall callId={callId} />}>
      {(call) => <Explained call={call} onOpen={onOpen} />}
    </Loaded>
  );
}

interface GiveBackProps {
  readonly call: CallExplanation;
  readonly account: Account | undefined;
}

/** Without an invoice, or where a grant covered the call, all of it is given back as credits. */
function GiveBackConsequences({ call, account }: GiveBackProps) {
  const { credits_used: credits, overdraft_credits: uncovered, invoice_line: line } = call;
  return (
    <>
      <p>
        <strong>{formatCredits(credits)} are given back</strong> to {account?.name ?? 'the account'}{' '}
        at once. This cannot be undone.
      </p>
      <p>
        {line !== null && uncovered > 0
          ? `Up to ${formatCredits(uncovered)} of them were billed by ${line.number}: a credit note ` +
            'takes back what is left of that, and the rest is given back as credits.'
          : 'They are given back as credits. No money moves, and no document is issued.'}
        {account !== undefined && ` The balance is ${formatNumber(account.balance)} now.`}
      </p>
    </>
  );
}

function Explained({
  call,
  onOpen,
}: { readonly call: CallExplanation } & Pick<CallDrawerProps, 'onOpen'>) {
  const { account_id: account, adjusted_by: adjusted, credited_by: credited } = call;
  const { data } = useQuery(one(admin.getAccount({ account_id: account })));
  const keys = useInfiniteQuery(
    pages(admin.listApiKeys({ account_id: account })),
  ).data?.pages.flatMap((page) => page.items);
  const nameOf = useCatalogNames(account);
  const grantName = (id: string) => {
    const grant = data?.grants.find((one) => one.id === id);
    return grant === undefined ? 'a grant that is used up' : `${grant.kind} credits`;
  };
  const words: CallWords = {
    resource: (path) => <ResourceWords path={path} nameOf={nameOf} />,
    apiKey: (id) => {
      const key = keys?.find((one) => one.id === id);
      const name = key === undefined ? id : `${key.label ?? 'Key'} …${key.last_four}`;
      return <Link to={`/accounts/${account}/keys` as string}>{name}</Link>;
    },
    grant: grantName,
    call: (id) => (
      <button type="button" className={css.link} onClick={() => onOpen(id)}>
        The call
      </button>
    ),
    invoice: (number, line) => (
      <Link to={`/invoices/${number}` as string}>
        {number}, line {line}
      </Link>
    ),
  };
  return (
    <div className={css.stack}>
      <CallExplained call={call} words={words}>
        <Fact name="Account">
          <Link to={`/accounts/${account}` as string}>{data?.name ?? account}</Link>
        </Fact>
        <LogPlace call={call} />
        <Fact name="Window ends">
          <Moment at={call.window_ends_at} /> ({call.window_local.ends} {call.window_local.zone})
        </Fact>
        <Fact name="Draws">
          {call.draws
            .map((draw) => `${formatNumber(draw.credits)} of ${grantName(draw.grant_id)}`)
            .join(', ') || 'none'}
        </Fact>
        <Fact name="Given back">
          {adjusted === null ? credited.join(', ') || 'no' : 'yes, as credits'}
        </Fact>
      </CallExplained>
      <CopyText value={call.call_id} what="Call-Id" />
      <div className={css.actions}>
        {adjusted === null && credited.length === 0 && (
          <ChangeButton
            label="Give it back"
            title="Give this call back"
            fields={GIVE_BACK}
            submit="Give it back"
            irreversible
            of={admin.giveCallBack({ call_id: call.call_id })}
          >
            <GiveBackConsequences call={call} account={data} />
          </ChangeButton>
        )}
      </div>
    </div>
  );
}
