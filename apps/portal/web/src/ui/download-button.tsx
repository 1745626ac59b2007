import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Read } from '#client/operations.js';
import { problemOf } from '../rest/problem.js';
import { Icon } from './icon.js';
import { download } from '../rest/request.js';

interface DownloadButtonProps {
  /** The read whose answer is the file. */
  readonly of: Read<unknown>;
  readonly file: string;
  readonly label?: string;
  /** The media type that is asked for. */
  readonly accept?: string;
  readonly size?: ButtonProps['size'];
}

/** Fetches a file of the service, so that a refusal is shown here and not as a page of its own. */
export function DownloadButton(props: DownloadButtonProps) {
  const { of, file, label = 'CSV', accept = 'text/csv', size } = props;
  const fetched = useMutation({
    mutationFn: async () => saveFile(await download(of, accept), file),
  });
  const problem = fetched.isError ? problemOf(fetched.error) : null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={15} />}
        loading={fetched.isPending}
        onClick={() => fetched.mutate()}
        {...(size !== undefined && { size })}
      >
        {label}
      </Button>
      {problem !== null && <span role="alert">{problem.detail ?? problem.title}</span>}
    </>
  );
}

/** Hands a file to the browser as if it had been downloaded. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it only once this turn is over.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
