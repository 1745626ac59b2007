import { useEffect, useState } from 'react';

/** When a dialog is taken away, what had the focus before it was shown has it again. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
