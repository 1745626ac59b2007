import { Link } from '@tanstack/react-router';

interface AccountLinkProps {
  readonly of: { readonly account_id: string; readonly account_name?: string | null };
}

const ID_LENGTH = 8;

/** The page of an account, under its name; an erased one has only its id. */
export function AccountLink({ of: { account_id: id, account_name: name } }: AccountLinkProps) {
  return (
    <Link to={`/accounts/${id}` as string} title={id}>
      {name ?? `erased (${id.slice(0, ID_LENGTH)})`}
    </Link>
  );
}
