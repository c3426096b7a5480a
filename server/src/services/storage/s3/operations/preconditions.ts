import type { ObjectMetadata } from '../../objects/object.ts'
import { s3Error } from '../errors.ts'

/** Conditions of a request; each is the text of its header. */
export interface Preconditions {
  readonly match?: string | undefined
  readonly noneMatch?: string | undefined
  readonly modifiedSince?: string | undefined
  readonly unmodifiedSince?: string | undefined
}

/**
 * Checks the conditions of a read or of a copy (RFC 9110 §13.2.2). A condition on tags goes before the one on time.
 *
 * @throws PreconditionFailed
 */
export function checkPreconditions(
  { eTag, lastModified }: ObjectMetadata,
  { match, noneMatch, modifiedSince, unmodifiedSince }: Preconditions,
): void {
  const seconds = Math.floor(Date.parse(lastModified ?? '') / 1000)
  const isNewer = (date: string): boolean => seconds > Date.parse(date) / 1000
  const isBroken =
    (match !== undefined && !names(match, eTag)) ||
    (match === undefined && unmodifiedSince !== undefined && isNewer(unmodifiedSince)) ||
    (noneMatch !== undefined && names(noneMatch, eTag)) ||
    (noneMatch === undefined && modifiedSince !== undefined && !isNewer(modifiedSince))
  if (isBroken) throw s3Error('PreconditionFailed')
}

const names = (tags: string, eTag: string | undefined): boolean =>
  tags.trim() === '*' || tags.split(',').some((tag) => unquoted(tag) === unquoted(eTag ?? ''))

const unquoted = (tag: string): string => tag.trim().replace(/^"|"$/g, '')
