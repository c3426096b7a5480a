import type { IncomingHttpHeaders } from 'node:http'

/** The validators of a representation. */
export interface Validators {
  /** With its quotes; null where it is not known. */
  readonly etag: string | null
  readonly modifiedAt: Date | null
}

/** Whether a client's copy is still good: `if-none-match`, and without it `if-modified-since` (RFC 9110 §13.2.2). */
export function isNotModified(headers: IncomingHttpHeaders, { etag, modifiedAt }: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers
  if (tags !== undefined) return etag !== null && namesTag(tags, etag)
  return since !== undefined && isUnchangedSince(since, modifiedAt)
}

/** Whether a range is of the representation that the client has: `if-range` (RFC 9110 §13.1.5). */
export function isRangeOfThis({ 'if-range': condition }: IncomingHttpHeaders, validators: Validators): boolean {
  if (typeof condition !== 'string') return true
  return condition.startsWith('"') ? condition === validators.etag : isUnchangedSince(condition, validators.modifiedAt)
}

/** Weak comparison: a proxy that compresses makes tags weak. */
const namesTag = (tags: string, etag: string): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => withoutWeakness(tag.trim()) === withoutWeakness(etag))

const withoutWeakness = (tag: string): string => tag.replace(/^W\//, '')

function isUnchangedSince(date: string, modifiedAt: Date | null): boolean {
  if (modifiedAt === null) return false
  // Dates of HTTP have no milliseconds.
  return Math.floor(modifiedAt.getTime() / 1000) * 1000 <= Date.parse(date)
}
