import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { currentZoneName, differs } from '../format/zones.js';

const STORED = 'popindex-times';

interface Zones {
  /** The zone in which Tuesdays, days and months begin. */
  readonly billing: string;
  /** The zone in which moments are shown. */
  readonly shown: string;
  /** The zone to switch to; null where the reader's clocks show the same times. */
  readonly other: string | null;
  readonly switchZone: () => void;
}

const ZonesContext = createContext<Zones>({
  billing: 'UTC',
  shown: 'UTC',
  other: null,
  switchZone: () => undefined,
});

export function useZones(): Zones {
  return useContext(ZonesContext);
}

export function useBillingZone(): string {
  return useZones().billing;
}

interface ZonesProps {
  readonly billing: string;
  readonly children: ReactNode;
}

/** Moments are shown in the billing zone, as days and weeks are, or in the reader's. */
export function ZonesOf({ billing, children }: ZonesProps) {
  const [isOwn, setIsOwn] = useState(() => localStorage.getItem(STORED) === 'own');
  const zones = useMemo((): Zones => {
    const own = currentZoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    const switchZone = (): void => {
      localStorage.setItem(STORED, isOwn ? 'billing' : 'own');
      setIsOwn(!isOwn);
    };
    if (!differs(own, billing)) return { billing, shown: billing, other: null, switchZone };
    const [shown, other] = isOwn ? [own, billing] : [billing, own];
    return { billing, shown, other, switchZone };
  }, [billing, isOwn]);
  return <ZonesContext value={zones}>{children}</ZonesContext>;
}

/** The zone of a field of days, where moments are shown in another one. */
export function useDaysOf(): string {
  const { billing, shown } = useZones();
  return shown === billing ? '' : ` (${billing})`;
}
