import { Pill, type Tone } from '../../ui/pill.js';
import css from '../console.module.css';
import type { Account } from '../../rest/answers.js';

const TONES: Readonly<Record<Account['status'], Tone>> = {
  active: 'good',
  suspended: 'warn',
  closed: 'plain',
};

/** How an account stands, in words. */
export function AccountPills({ account }: { readonly account: Account }) {
  const { status, test, balance, low_balance_credits: low } = account;
  return (
    <span className={css.pills}>
      <Pill tone={TONES[status]}>{status}</Pill>
      {test && <Pill tone="info">test</Pill>}
      {low !== null && balance < low && <Pill tone="bad">low balance</Pill>}
    </span>
  );
}
