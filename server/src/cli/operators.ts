import { askResetFactors } from '../instance/control.ts'
import { directoryOf } from '../instance/directory.ts'
import { instanceError } from '../instance/errors.ts'
import { type PlaceOptions, settingsOf } from './options.ts'
import { print } from './print.ts'

/**
 * Takes every second factor of an operator away, for the machine's owner: whoever may write the data directory.
 *
 * @throws CLEW_NOT_RUNNING, CLEW_NO_SUCH_OPERATOR
 */
export async function resetFactors(email: string, options: PlaceOptions): Promise<number> {
  const { instance } = settingsOf({ ...options })
  if (!(await askResetFactors(directoryOf(instance.data).control, email)))
    throw instanceError('CLEW_NO_SUCH_OPERATOR', { message: `No operator has the address ${email}.` })
  print(`${email} signs in by the password alone from now on; their sessions have ended.`)
  return 0
}
