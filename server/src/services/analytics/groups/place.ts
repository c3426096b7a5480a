import { analyticsError } from '../errors.ts'

/** An instant and what keeps those of one instant apart, which may be any text. */
const place = /^(?<ms>\d{1,15})\.(?<rest>.+)$/s

/** Reads where a list goes on, as a page before gave it. @throws CLEW_GROUPS_PLACE */
export function readPlace(text: string): { readonly atMs: number; readonly rest: string } {
  const found = place.exec(text)?.groups
  if (found?.ms === undefined || found.rest === undefined) throw analyticsError('CLEW_GROUPS_PLACE')
  return { atMs: Number(found.ms), rest: found.rest }
}
