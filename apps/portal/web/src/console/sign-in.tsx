import { Button, PasswordInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SignInProps } from '../frame/app.js';
import { IdleNotice } from '../frame/idle-notice.js';
import { CompanySignIn } from '../frame/company-sign-in.js';
import { Mark } from '../frame/mark.js';
import css from '../frame/sign-in.module.css';
import { formFaults, isSignedOut } from '../rest/problem.js';
import { FormFaultsNotice } from '../ui/form-faults.js';
import form from '../ui/form.module.css';
import { ProblemNotice } from '../ui/notice.js';
import { admin } from './admin.js';
import { consoleSessionQuery } from './queries.js';
import { send } from '../rest/request.js';

/** The console opens with an admin token, which becomes a cookie. */
export function SignIn({ error, onRetry }: SignInProps) {
  useEffect(() => {
    document.title = 'Sign in · Popindex console';
  }, []);
  return (
    <main className={css.main}>
      <div className={css.card}>
        <Mark />
        {isSignedOut(error) ? <WaysIn /> : <ProblemNotice error={error} onRetry={onRetry} />}
      </div>
    </main>
  );
}

function WaysIn() {
  return (
    <>
      <h1 className={css.title}>Operator’s console</h1>
      <IdleNotice />
      <CompanySignIn of={admin.getSignInWays()} />
      <TokenForm />
    </>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: () => send(admin.signIn(), { token: token.trim() }),
    onSuccess: (session) => client.setQueryData(consoleSessionQuery.queryKey, session),
  });
  const faults = formFaults(signIn.error, ['token']);
  return (
    <form
      className={form.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate();
      }}
    >
      <PasswordInput
        label="Admin token"
        description="It becomes a cookie of 8 hours and is kept nowhere else."
        autoComplete="current-password"
        value={token}
        onChange={(event) => setToken(event.currentTarget.value)}
        error={faults.fields.token}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
        data-autofocus
      />
      <FormFaultsNotice faults={faults} />
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
}
