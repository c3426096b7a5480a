import { isTakenIdentity } from '../store/identities.ts'
import { duplicateOf } from '../store/users.ts'

/** Does a change again when somebody else made the same user or identity between its look and its insert. */
export async function onceMore<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (isTakenIdentity(error) || duplicateOf(error) !== null) return change()
    throw error
  }
}
