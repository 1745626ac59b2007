import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { problemOf } from '../../rest/problem.js';
import { PORTAL } from '../../rest/queries.js';
import { read } from '../../rest/request.js';
import { saveFile } from '../../ui/download-button.js';
import { Icon } from '../../ui/icon.js';

/** The signed receipt of a call as a file, which can be checked without the service. */
export function CallReceipt({ callId }: { readonly callId: string }) {
  const fetched = useMutation({
    mutationFn: async () => {
      const { receipt } = await read<{ receipt: string }>(`${PORTAL}/calls/${callId}/receipt`);
      saveFile(new Blob([`${receipt}\n`], { type: 'text/plain' }), `receipt-${callId}.txt`);
    },
  });
  const problem = fetched.isError ? problemOf(fetched.error) : null;
  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icon name="download" size={14} />}
        loading={fetched.isPending}
        onClick={() => fetched.mutate()}
      >
        Signed receipt
      </Button>
      {problem !== null && <p role="alert">{problem.detail ?? problem.title}</p>}
    </div>
  );
}
