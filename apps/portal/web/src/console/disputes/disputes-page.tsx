import { Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DisputeTable } from '../../account/dispute-table.js';
import type { Field } from '../../form/fields.js';
import type { Dispute } from '../../rest/answers.js';
import { Empty } from '../../ui/notice.js';
import { Page, Panel } from '../../ui/page.js';
import { Paged } from '../../ui/paged.js';
import { FormButton } from '../form/form-button.js';
import { disputesQuery } from '../rest/admin-queries.js';
import { useAdminChange } from '../rest/use-admin-change.js';

const ID_LENGTH = 8;
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
  const disputes = useInfiniteQuery(disputesQuery);
  return (
    <Page title="Disputes" lead="Calls that customers dispute; the longest open first.">
      <Panel flush title="Disputes" aside="open ones first">
        <Paged of={disputes} empty={<Empty title="Nothing is disputed" />}>
          {(items) => (
            <DisputeTable
              items={items}
              callOf={shortId}
              accountOf={accountLink}
              actionsOf={(dispute) => <Answers dispute={dispute} />}
            />
          )}
        </Paged>
      </Panel>
    </Page>
  );
}

function Answers({ dispute }: { readonly dispute: Dispute }) {
  const change = useAdminChange();
  if (dispute.status !== 'open') return null;
  const answer = (outcome: 'accepted' | 'rejected') => (body: Record<string, unknown>) =>
    change('POST', `/disputes/${dispute.id}/resolve`, { ...body, outcome });
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        label="Give back"
        size="compact-sm"
        title="Give these calls back"
        fields={WITH_CREDIT}
        submit="Give back"
        onSubmit={answer('accepted')}
      />
      <FormButton
        label="Explain"
        size="compact-sm"
        title="Answer without giving back"
        fields={ANSWER}
        submit="Answer"
        onSubmit={answer('rejected')}
      />
    </Group>
  );
}

function shortId(id: string) {
  return <code title={id}>{id.slice(0, ID_LENGTH)}</code>;
}

function accountLink(id: string) {
  return <Link to={`/accounts/${id}` as string}>{shortId(id)}</Link>;
}
