import { instanceError } from '../../errors.ts'
import { ServiceError } from '../../ground/errors/service-error.ts'
import { findFunctions } from '../../services/functions/index.ts'
import { faint, print, printRows } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'
import { settingsOf } from '../settings-of.ts'
import { projectOf } from '../target.ts'
import { type FunctionAnswer, makerOf, timeOf } from './answers.ts'

/** Prints the functions of an instance; those of the project folder where no instance runs and none is linked. */
export async function list({ json = false, ...options }: RemoteOptions & { json?: boolean }): Promise<number> {
  const functions = await listOf(options)
  if (json)
    print(
      JSON.stringify(
        functions.map(({ name, entry, verifyJwt, version }) => ({ name, entry, verify_jwt: verifyJwt, version })),
        null,
        2,
      ),
    )
  else if (functions.length === 0) print('There are no functions yet: clew functions new <name> writes one.')
  else {
    printRows(
      ['Name', 'Entry', 'Verify JWT', 'Version', 'Made', 'By'],
      functions.map(({ name, entry, verifyJwt, version }) => [
        name,
        entry,
        verifyJwt ? 'yes' : 'no',
        ...(version === null ? ['', '', ''] : [String(version.number), timeOf(version.madeAt), makerOf(version)]),
      ]),
      ['Version'],
    )
    for (const { name } of functions.filter(({ isPinned }) => isPinned))
      print(faint(`  ${name}: the folder holds something else, which the next save serves.`))
  }
  return 0
}

async function listOf(options: RemoteOptions): Promise<readonly FunctionAnswer[]> {
  try {
    return await withConsole(options, async (api) => {
      const { functions } = (await api.send('GET', '/functions')) as { readonly functions: readonly FunctionAnswer[] }
      return functions
    })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== instanceError('CLEW_NOT_RUNNING').code) throw error
    const settings = await settingsOf({ ...options })
    const found = await findFunctions(projectOf(settings), settings.functions.each)
    return found.map(({ name, entry, verifyJwt }) => ({
      ...{ name, entry, verifyJwt, isInFolder: true, isPinned: false, version: null },
    }))
  }
}
