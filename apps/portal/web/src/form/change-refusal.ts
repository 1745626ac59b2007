import { createContext, useContext } from 'react';

/** Why the one who is signed in may change nothing; undefined: nothing stands against it. */
export const ChangeRefusal = createContext<string | undefined>(undefined);

export function useChangeRefusal(): string | undefined {
  return useContext(ChangeRefusal);
}
