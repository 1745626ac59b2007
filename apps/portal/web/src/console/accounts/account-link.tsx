import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

interface AccountLinkProps {
  readonly of: { readonly account_id: string; readonly account_name?: string | null };
  /** The part of the page, `/invoices`; the first unless given. */
  readonly part?: string;
  readonly onClick?: (event: MouseEvent) => void;
}

const ID_LENGTH = 8;

/** The page of an account, under its name; an erased one has only its id. */
export function AccountLink({ of, part = '', onClick }: AccountLinkProps) {
  const { account_id: id, account_name: name } = of;
  return (
    <Link to={`/accounts/${id}${part}` as string} title={id} {...(onClick && { onClick })}>
      {name ?? `erased (${id.slice(0, ID_LENGTH)})`}
    </Link>
  );
}
