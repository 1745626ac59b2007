import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Read } from '#client/operations.js';
import type { SignInWays } from '../rest/answers.js';
import { ownPage, type Site } from '#web/own-page.js';
import { pagePath } from '../rest/base-path.js';
import { Notice } from '../ui/notice.js';
import { one } from '../rest/reads.js';

/** Reads how to sign in beside links and tokens. */
export function useSignInWays(of: Read<SignInWays>): SignInWays | undefined {
  return useQuery({ ...one(of), staleTime: Infinity }).data;
}

const FAULTS: Readonly<Record<string, string>> = {
  denied: 'The sign-in was refused, or its answer was used before.',
  expired: 'The sign-in took too long, or began in another browser. Try again.',
  unavailable: 'The company’s sign-in does not answer. Try again in a moment.',
  unusable:
    'The company’s sign-in gave an answer that cannot be used. Ask whoever runs this service: its log has the reason.',
  'no-account':
    'No account has a member with your verified e-mail address. Ask a manager of the account.',
  'no-role': 'Your company account has no role here. Ask whoever gives out its roles.',
};

/** Where to come back to: this page without what the last attempt has left in its address. */
export function returnTo(site: Site): string {
  const query = new URLSearchParams(location.search);
  query.delete('sign_in');
  const rest = query.toString();
  return ownPage(site, pagePath() + (rest === '' ? '' : `?${rest}`));
}

/** The way in with the company account, where there is one, and why it was none. */
export function CompanySignIn({ of }: { readonly of: Read<SignInWays> }) {
  const ways = useSignInWays(of);
  const fault = FAULTS[new URLSearchParams(location.search).get('sign_in') ?? ''];
  if (!ways?.oidc) return null;
  const site = of.path.startsWith('/admin/') ? 'console' : 'portal';
  const address = `${ways.oidc}?return_to=${encodeURIComponent(returnTo(site))}`;
  return (
    <>
      {fault !== undefined && <Notice tone="warn">{fault}</Notice>}
      <Button component="a" href={address}>
        Sign in with your company account
      </Button>
    </>
  );
}
