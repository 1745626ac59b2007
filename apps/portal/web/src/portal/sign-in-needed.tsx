import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { isSignedOut, problemOf } from '../rest/problem.js';
import { Notice } from '../ui/notice.js';
import type { SignInProps } from '../frame/app.js';
import { IdleNotice } from '../frame/idle-notice.js';
import { Mark } from '../frame/mark.js';
import { CompanySignIn, useSignInWays } from '../frame/company-sign-in.js';
import { MailedLinkForm } from './mailed-link.js';
import css from '../frame/sign-in.module.css';
import { portal } from '../rest/portal.js';

/** Nobody is signed in: no data, only the way in. */
export function SignInNeeded({ error, onRetry }: SignInProps) {
  useEffect(() => {
    document.title = 'Sign in · Popindex';
  }, []);
  return (
    <main className={css.main}>
      <div className={css.card}>
        <Mark />
        {isSignedOut(error) ? (
          <LinkNeeded error={error} />
        ) : (
          <NotReached error={error} onRetry={onRetry} />
        )}
      </div>
    </main>
  );
}

function LinkNeeded({ error }: { readonly error: unknown }) {
  const { code, detail } = problemOf(error);
  const ways = useSignInWays(portal.getSignInWays());
  const isByOneself = Boolean(ways?.oidc) || ways?.email === true;
  return (
    <>
      <h1 className={css.title}>{isByOneself ? 'Sign in' : 'Open the portal with a link'}</h1>
      <IdleNotice />
      {code === 'invalid-key' && <Notice tone="warn">{detail}</Notice>}
      <CompanySignIn of={portal.getSignInWays()} />
      {ways?.email === true && <MailedLinkForm />}
      <p>
        This page belongs to an account. A link opens it: each link works once and lives for 15
        minutes; then you stay signed in for 8 hours, or until nobody has used these pages for 30
        minutes.
      </p>
      <p className={css.soft}>
        Ask whoever runs the service for a new link, or open one from where you found this page.
      </p>
    </>
  );
}

function NotReached({ error, onRetry }: SignInProps) {
  const { title, detail } = problemOf(error);
  return (
    <>
      <h1 className={css.title}>{title}</h1>
      <p>{detail}</p>
      <Button onClick={onRetry}>Try again</Button>
    </>
  );
}
