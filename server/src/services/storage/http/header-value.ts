import { storageError } from '../errors.ts'

const pattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** Whether a text may be the value of a header (RFC 9110 §5.5). */
export const isHeaderValue = (text: string): boolean => pattern.test(text)

/** The text, which will be the value of a header. @throws InvalidHeaderCharacter where it cannot be */
export function checkHeaderValue(text: string): string {
  if (!isHeaderValue(text)) throw storageError('InvalidHeaderCharacter')
  return text
}
