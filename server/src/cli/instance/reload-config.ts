import { instanceError } from '../../errors.ts'
import type { SecretChange } from '../../ground/model/secret-reload.ts'
import { askReloadSecrets } from '../../instance/control.ts'
import { directoryOf } from '../../instance/directory.ts'
import type { DirectoryOptions } from '../options.ts'
import { bold, faint, green, print, red } from '../print.ts'
import { readSettingsOf } from '../settings-of.ts'

const marks: Readonly<Record<SecretChange['outcome'], string>> = {
  taken: green('✓'),
  refused: red('✗'),
  'needs a start': bold('!'),
}

/** Has a running instance read the secrets of its settings again. Exit code 2 where one is refused. */
export async function reloadConfig({
  json = false,
  ...options
}: DirectoryOptions & { json?: boolean }): Promise<number> {
  // What is wrong with them is said by the instance, which reads them in its own environment.
  const { settings } = await readSettingsOf(options)
  const reloaded = await askReloadSecrets(directoryOf(settings.instance.data).control, 'command line')
  const { secrets, problems, others } = reloaded
  const isRefused = problems.length > 0 || secrets.some(({ outcome }) => outcome === 'refused')
  if (json) {
    print(JSON.stringify(reloaded, null, 2))
    return isRefused ? 2 : 0
  }
  if (problems.length > 0) throw instanceError('CLEW_SECRETS_REFUSED', { message: problems.join('\n') })
  if (secrets.length === 0) print('  Every secret is as it was.')
  for (const { name, outcome, problem } of secrets)
    print(`  ${marks[outcome]} ${name}${problem === null ? '' : `: ${problem}`}`)
  if (others.length > 0) print(faint(`  These count from the next start on: ${others.join(', ')}`))
  return isRefused ? 2 : 0
}
