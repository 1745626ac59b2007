import { useEffect, useState } from 'react';
import { Notice } from '../ui/notice.js';

const MARK = 'signed out while idle';

/** Remembers, over the reload that follows, that nobody used the pages for too long. */
export function noteIdleSignOut(): void {
  sessionStorage.setItem(MARK, 'yes');
}

/** Says why the page of signing in stands here. Draws nothing where nobody was idle. */
export function IdleNotice() {
  const [wasIdle] = useState(() => sessionStorage.getItem(MARK) !== null);
  useEffect(() => {
    sessionStorage.removeItem(MARK);
  }, []);
  if (!wasIdle) return null;
  return (
    <Notice title="You were signed out">
      Nobody used these pages for 30 minutes. Sign in again to go on where you were.
    </Notice>
  );
}
