import { Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { AnyChoice } from '../../account/calls/any-choice.js';
import { DisputeTable } from '../../account/dispute-table.js';
import { formatCount, formatCredits } from '../../format/credits.js';
import type { Field } from '../../form/fields.js';
import form from '../../ui/form.module.css';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { AccountLink } from '../accounts/account-link.js';
import { CallDrawer } from '../calls/call-drawer.js';
import { FormButton } from '../../form/form-button.js';
import { admin } from '../admin.js';
import type { Dispute, DisputeStatus } from '../../rest/answers.js';
import { pages } from '../../rest/reads.js';
import { useChange } from '../../rest/use-change.js';

const ID_LENGTH = 8;
const STATES = ['open', 'accepted', 'rejected'];
const ANSWER: readonly Field[] = [
  { name: 'answer', label: 'Answer', kind: 'area', description: 'The customer reads it.' },
];
const WITH_CREDIT: readonly Field[] = [
  {
    name: 'answer',
    label: 'Answer',
    kind: 'area',
    description: 'The customer reads it, and a credit note prints it.',
  },
];

/** The queue of operators: what is still open comes first. */
export function DisputesPage() {
  const search: { readonly status?: string; readonly call?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const disputes = useInfiniteQuery(
    pages(admin.listAllDisputes({ status: (search.status ?? null) as DisputeStatus | null })),
  );
  const show = (change: { status?: string | undefined; call?: string | undefined }) =>
    void navigate({
      search: ((before: object) => ({ ...before, ...change })) as never,
      replace: 'status' in change,
    });
  return (
    <Page wide title="Disputes" lead="Calls that customers dispute; the longest open first.">
      <div className={form.toolbar}>
        <AnyChoice
          label="State"
          data={STATES}
          width={150}
          value={search.status ?? null}
          onChange={(status) => show({ status: status ?? undefined })}
        />
      </div>
      <Panel flush>
        <Paged of={disputes} empty={<Empty title="Nothing is disputed" />}>
          {(items) => (
            <DisputeTable
              items={items}
              callOf={(id) => <CallLink id={id} />}
              accountOf={(dispute) => <AccountLink of={dispute} />}
              actionsOf={(dispute) => <Answers dispute={dispute} />}
            />
          )}
        </Paged>
      </Panel>
      <CallDrawer
        callId={search.call ?? null}
        onClose={() => show({ call: undefined })}
        onOpen={(call) => show({ call })}
      />
    </Page>
  );
}

function Answers({ dispute }: { readonly dispute: Dispute }) {
  const change = useChange();
  if (dispute.status !== 'open') return null;
  const answer = (outcome: 'accepted' | 'rejected') => (body: Record<string, unknown>) =>
    change(admin.resolveDispute({ dispute_id: dispute.id }), { ...body, outcome });
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        label="Give back"
        size="compact-sm"
        title="Give these calls back"
        fields={WITH_CREDIT}
        submit="Give back"
        irreversible
        onSubmit={answer('accepted')}
      >
        <GiveBackConsequences dispute={dispute} />
      </FormButton>
      <FormButton
        label="Explain"
        size="compact-sm"
        title="Answer without giving back"
        fields={ANSWER}
        submit="Answer"
        onSubmit={answer('rejected')}
      >
        <p>No credits and no money move.</p>
      </FormButton>
    </Group>
  );
}

function GiveBackConsequences({ dispute }: { readonly dispute: Dispute }) {
  const { account_name: name, call_ids: calls, disputed_credits: credits } = dispute;
  if (calls.length === 0) return <p>It names no call: no credits and no money move.</p>;
  return (
    <>
      <p>
        <strong>
          {formatCredits(credits)} of {formatCount(calls.length, 'call')} are given back
        </strong>{' '}
        to {name ?? 'the account'} at once, but for calls that were given back before. This cannot
        be undone.
      </p>
      <p>
        They are given back as credits; what an invoice has billed of them is taken back by a credit
        note instead.
      </p>
    </>
  );
}

/** Explains the call beside the queue, under an address of its own. */
function CallLink({ id }: { readonly id: string }) {
  return (
    <Link
      to={'/disputes' as string}
      search={((before: object) => ({ ...before, call: id })) as never}
      title={id}
      aria-label={`Explain the call ${id}`}
    >
      <code>{id.slice(0, ID_LENGTH)}</code>
    </Link>
  );
}
