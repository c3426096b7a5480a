import { instanceError } from '../errors.ts'

/**
 * Reads an option that names a moment; null where it was not given.
 *
 * @throws CLEW_START_SETTING
 */
export function parseDate(option: string, text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = new Date(text)
  if (!Number.isNaN(at.getTime())) return at
  throw instanceError('CLEW_START_SETTING', {
    message: `${option} ${text} is no time; allowed: 2026-01-31, 2026-01-31T12:00:00Z`,
  })
}
