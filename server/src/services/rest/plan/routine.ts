import type { Routine } from '../cache/schema-cache.ts'

/** What a call gives back: one value or row, or a set of them. */
export const returnsScalar = ({ returns }: Routine): boolean => !returns.set && !returns.composite
export const returnsScalars = ({ returns }: Routine): boolean => returns.set && !returns.composite
export const returnsRow = ({ returns }: Routine): boolean => !returns.set && returns.composite
export const returnsOne = ({ returns }: Routine): boolean => !returns.set

export const returnsNothing = ({ returns }: Routine): boolean =>
  !returns.set && !returns.composite && returns.schema === 'pg_catalog' && returns.name === 'void'
