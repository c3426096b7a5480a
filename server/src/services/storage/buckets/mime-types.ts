import { storageError } from '../errors.ts'

const token = "[A-Za-z0-9!#$&^_.+'%~`|-]+"
const allowedForm = new RegExp(`^(?:\\*|${token}/(?:\\*|${token})|\\*/\\*)(?:\\s*;\\s*charset=[\\w-]+)?$`, 'i')
const typeForm = new RegExp(`^${token}/${token}$`)

const longest = 1000

/**
 * The types that a bucket shall allow, without empty ones.
 *
 * @throws InvalidMimeType for what is no type (storage §3)
 */
export function checkAllowedTypes(types: readonly string[]): readonly string[] {
  const named = types.filter((type) => type !== '')
  const wrong = named.find((type) => type.length > longest || !allowedForm.test(type))
  if (wrong !== undefined) throw storageError('InvalidMimeType', { message: `mime type ${wrong} is not supported` })
  return named
}

/**
 * Compares a type with those that a bucket allows: without its parameters, and with wildcards (storage §5).
 *
 * @param allowed null or empty for any
 * @throws InvalidMimeType
 */
export function checkMimeType(type: string, allowed: readonly string[] | null): void {
  if (allowed === null || allowed.length === 0) return
  const essence = essenceOf(type)
  if (!typeForm.test(essence)) throw storageError('InvalidMimeType')
  const [group = ''] = essence.split('/')
  const isAllowed = allowed.map(essenceOf).some((each) => ['*', '*/*', `${group}/*`, essence].includes(each))
  if (!isAllowed) throw storageError('InvalidMimeType', { message: `mime type ${type} is not supported` })
}

/** A type in lower case without its parameters: `text/html` of `Text/HTML; charset=utf-8`. */
export const essenceOf = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()
