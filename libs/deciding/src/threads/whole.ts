/** The same with every member named, so that none is left out of what is sent. */
export type Whole<Of> = { readonly [Name in keyof Required<Of>]: Of[Name] };
