import { useState } from 'react';
import { newIdempotencyKey } from '#client/idempotency-key.js';
import type { Account, AddedMember, GrantDetails, IssuedApiKey } from '../../rest/answers.js';
import { useChange } from '../../rest/use-change.js';
import { admin } from '../admin.js';
import { faultOfStep, STEPS, type Bodies, type Step } from './customer-steps.js';

/** Answers of the changes that were made by now. */
export interface Customer {
  readonly account?: Account;
  readonly billing?: object;
  readonly grant?: GrantDetails;
  readonly key?: IssuedApiKey;
  readonly member?: AddedMember;
}

/**
 * Makes a customer, one change after the other. A failure leaves what was made; the next attempt
 * makes the rest. Each change has one idempotency key, so an attempt whose answer was lost is not
 * made twice.
 */
export function useCustomer() {
  const change = useChange();
  const [name] = useState(newIdempotencyKey);
  const [made, setMade] = useState<Customer>({});
  const [isComplete, setComplete] = useState(false);
  const make = async (bodies: Bodies) => {
    let customer = made;
    for (const step of STEPS) {
      const body = bodies[step];
      if (body === undefined || customer[step] !== undefined) continue;
      try {
        const answer = await change(
          commandOf(step, customer.account?.id ?? ''),
          body,
          `${name}-${step}`,
        );
        customer = { ...customer, [step]: answer };
        setMade(customer);
      } catch (error) {
        throw faultOfStep(step, error);
      }
    }
    setComplete(true);
  };
  return { made, isComplete, make };
}

function commandOf(step: Step, id: string) {
  const path = { account_id: id };
  const commands = {
    account: admin.openAccount,
    billing: () => admin.replaceBillingDetails(path),
    grant: () => admin.grantCredits(path),
    key: () => admin.issueApiKey(path),
    member: () => admin.addMember(path),
  } as const;
  return commands[step]() as ReturnType<typeof admin.openAccount>;
}
