import { Empty } from '../../ui/notice.js';

/** A notice that the account has no call of the id in the address. */
export function NoCall({ callId }: { readonly callId: string }) {
  return (
    <Empty title={`There is no call ${callId}`}>
      Its id may be cut short, or it is a call of another account.
    </Empty>
  );
}
