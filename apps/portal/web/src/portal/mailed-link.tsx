import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { returnTo } from '../frame/company-sign-in.js';
import { Mark } from '../frame/mark.js';
import css from '../frame/sign-in.module.css';
import { formFaults, problemOf } from '../rest/problem.js';
import { FormFaultsNotice } from '../ui/form-faults.js';
import form from '../ui/form.module.css';
import { Notice } from '../ui/notice.js';
import { portal } from '../rest/portal.js';
import { send } from '../rest/request.js';

const PARAMETER = 'sign-in';

function tokenOfAddress(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get(PARAMETER);
}

/** The token of a mailed link that this page was opened with, and how to be done with it. */
export function useMailedToken(): readonly [token: string | null, done: () => void] {
  const [token, setToken] = useState(tokenOfAddress);
  useEffect(() => {
    const look = () => setToken((before) => tokenOfAddress() ?? before);
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, []);
  return [token, () => setToken(null)];
}

interface OpenMailedLinkProps {
  readonly token: string;
  readonly onDone: () => void;
}

/** Asks before it signs in: programs that look at the links of mails press no button. */
export function OpenMailedLink({ token, onDone }: OpenMailedLinkProps) {
  const client = useQueryClient();
  const signIn = useMutation({
    mutationFn: () => {
      // Out of the address, so that no history holds it.
      history.replaceState(
        history.state,
        '',
        location.origin + location.pathname + location.search,
      );
      return send(portal.useSignInLink(), { token });
    },
    onSuccess: async () => {
      await client.resetQueries();
      onDone();
    },
  });
  useEffect(() => {
    document.title = 'Sign in · Popindex';
  }, []);
  const isOver = signIn.error !== null && problemOf(signIn.error).code === 'invalid-key';
  return (
    <main className={css.main}>
      <div className={css.card}>
        <Mark />
        {isOver ? (
          <LinkIsOver why={problemOf(signIn.error).detail} onDone={onDone} />
        ) : (
          <>
            <h1 className={css.title}>Sign in to the portal</h1>
            <p>This link signs you in to the portal of your account. It works once.</p>
            <FormFaultsNotice faults={formFaults(signIn.error, [])} />
            <Button loading={signIn.isPending} onClick={() => signIn.mutate()} data-autofocus>
              Sign in
            </Button>
          </>
        )}
      </div>
    </main>
  );
}

interface LinkIsOverProps {
  readonly why: string | undefined;
  readonly onDone: () => void;
}

function LinkIsOver({ why, onDone }: LinkIsOverProps) {
  return (
    <>
      <h1 className={css.title}>This link no longer works</h1>
      <Notice tone="warn">{why}</Notice>
      <MailedLinkForm />
      <Button variant="default" onClick={onDone}>
        Back to the portal
      </Button>
    </>
  );
}

/** Asks for a link by e-mail, which leads back to this page. */
export function MailedLinkForm() {
  const [email, setEmail] = useState('');
  const request = useMutation({
    mutationFn: () =>
      send(portal.requestSignInLink(), {
        email: email.trim(),
        return_to: returnTo('portal'),
      }),
  });
  const faults = formFaults(request.error, ['email']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    request.mutate();
  };
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      <TextInput
        label="E-mail address"
        description="Members of an account get a link that signs in."
        type="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={faults.fields.email}
      />
      <FormFaultsNotice faults={faults} />
      {request.isSuccess && (
        <Notice tone="good" title="Check your mail">
          If a member has this address, a link is on its way. It works once, for 15 minutes.
        </Notice>
      )}
      <Button type="submit" loading={request.isPending}>
        Send me a link
      </Button>
    </form>
  );
}
