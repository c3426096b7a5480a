import type { HookPlace } from '../hooks/hooks.ts'
import type { Letter } from './letter.ts'

/**
 * Words a letter and hands it to the mail server, or to a hook.
 *
 * @param place the transaction the letter belongs to, for a hook that is a function of the database: it sees what is not
 *   committed yet; null after the commit
 */
export type DeliverLetter = (letter: Letter, place: HookPlace) => Promise<void>
