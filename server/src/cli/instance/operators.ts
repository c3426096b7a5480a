import { instanceError } from '../../errors.ts'
import { askResetFactors } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { DirectoryOptions } from '../options.ts'
import { print } from '../print.ts'
import { settingsOf } from '../settings-of.ts'

/**
 * Deletes every second factor of an operator. Access to the data directory is the permission to do so.
 *
 * @throws CLEW_NOT_RUNNING, CLEW_NO_SUCH_OPERATOR
 */
export async function resetFactors(email: string, options: DirectoryOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  if (!(await askResetFactors(directoryOf(instance.data).control, email)))
    throw instanceError('CLEW_NO_SUCH_OPERATOR', { message: `No operator has the address ${email}.` })
  print(`${email} signs in by the password alone from now on; their sessions have ended.`)
  return 0
}
