import { isTakenIdentity } from '../store/identities.ts'
import { duplicateOf } from '../store/users.ts'

/** Retries a change once when a concurrent call inserted the same user or identity between its read and its insert. */
export async function retryOnDuplicate<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (isTakenIdentity(error) || duplicateOf(error) !== null) return change()
    throw error
  }
}
