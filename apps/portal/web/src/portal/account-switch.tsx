import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { membershipsQuery, PORTAL } from '../rest/queries.js';
import { change } from '../rest/request.js';

/** Goes over to another account of the same person; nothing where there is one alone. */
export function AccountSwitch() {
  const client = useQueryClient();
  const accounts = useQuery(membershipsQuery).data ?? [];
  const go = useMutation({
    mutationFn: (id: string) => change('PUT', `${PORTAL}/session/account`, { account_id: id }),
    onSuccess: () => client.resetQueries(),
  });
  const current = accounts.find((account) => account.current);
  if (accounts.length < 2 || current === undefined) return null;
  return (
    <NativeSelect
      aria-label="Account"
      size="xs"
      data={accounts.map(({ account_id: value, name: label }) => ({ value, label }))}
      value={current.account_id}
      disabled={go.isPending}
      onChange={(event) => go.mutate(event.currentTarget.value)}
    />
  );
}
