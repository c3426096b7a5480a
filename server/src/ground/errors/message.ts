import { storableText } from '../text/storable.ts'

/**
 * The text of whatever was thrown: an error's message, anything else as a string. It can be stored: what other servers and
 * engines say may hold what was sent to them.
 */
export const messageOf = (thrown: unknown): string =>
  storableText(thrown instanceof Error ? thrown.message : String(thrown))
