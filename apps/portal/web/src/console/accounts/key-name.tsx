import { useQuery } from '@tanstack/react-query';
import { all } from '../../rest/reads.js';
import { admin } from '../admin.js';

const ID_LENGTH = 8;
const KNOWN_MS = 60_000;

interface KeyNameProps {
  readonly of: { readonly account_id: string; readonly api_key_id: string };
}

/** An API key by its label, and by the end of the key where it has none. */
export function KeyName({ of: { account_id: account, api_key_id: id } }: KeyNameProps) {
  const { data } = useQuery({
    ...all(admin.listApiKeys({ account_id: account })),
    staleTime: KNOWN_MS,
  });
  const key = data?.find((one) => one.id === id);
  return (
    <span title={id}>{key ? (key.label ?? `…${key.last_four}`) : id.slice(0, ID_LENGTH)}</span>
  );
}
