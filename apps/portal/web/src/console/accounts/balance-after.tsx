import { formatNumber } from '../../format/credits.js';
import type { Account } from '../../rest/answers.js';

interface BalanceAfterProps {
  readonly account: Account;
  /** Credits that the account loses. */
  readonly taken: number;
}

/** The balance of an account before and after credits are taken, and what follows for its calls. */
export function BalanceAfter({ account, taken }: BalanceAfterProps) {
  const { balance, overdraft_credits: overdraft } = account;
  const after = balance - taken;
  return (
    <>
      Its balance of {formatNumber(balance)} becomes {formatNumber(after)}.{' '}
      {overdraft !== null && after + overdraft <= 0 && 'All its calls are refused then.'}
    </>
  );
}
