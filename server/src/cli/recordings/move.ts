import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { writeDownload } from '../../transfer/index.ts'
import { green, print } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'

/** Writes the recording of a session into a file. @throws CLEW_CONSOLE_REFUSED, CLEW_FILE */
export async function exportRecording(
  session: string,
  { out = `recording-${session.replaceAll(/[^\w-]/g, '_')}.clew.gz`, ...options }: RemoteOptions & { out?: string },
): Promise<number> {
  return withConsole(options, async (api) => {
    const body = await api.stream(`/sessions/${encodeURIComponent(session)}/file`)
    const bytes = await writeDownload(out, { body, sizeBytes: null }, { overwrites: false }).catch((cause: unknown) => {
      throw fileError(out, cause)
    })
    print(`  ${green('✓')} ${out}, ${bytes} bytes`)
    return 0
  })
}

/** What the instance answers. */
interface Imported {
  readonly sessionId: string
  readonly messages: number
  readonly stored: number
  readonly already: number
  readonly expired: number
  readonly withheld: number
  readonly retentionDays: number
}

/** Stores the recording of a file. Exit code 1 where nothing of the recording is there afterwards. @throws CLEW_CONSOLE_REFUSED, CLEW_FILE */
export async function importRecording(
  file: string,
  { json = false, ...options }: RemoteOptions & { json?: boolean },
): Promise<number> {
  await stat(file).catch((cause: unknown) => {
    throw fileError(file, cause)
  })
  return withConsole(options, async (api) => {
    const imported = (await api.send('POST', '/recordings', createReadStream(file))) as Imported
    if (json) print(JSON.stringify(imported, null, 2))
    else for (const line of describe(imported)) print(line)
    return imported.stored + imported.already > 0 ? 0 : 1
  })
}

function describe({ sessionId, messages, stored, already, expired, withheld, retentionDays }: Imported): string[] {
  return [
    `  ${green('✓')} session ${sessionId}: ${stored} of ${messages} messages stored`,
    ...(already > 0 ? [`    ${already} were there before`] : []),
    ...(expired > 0
      ? [`    ${expired} are left out: they arrived more than ${retentionDays} days ago ([replay] retention_days)`]
      : []),
    ...(withheld > 0 ? [`    ${withheld} are left out: their visitors’ data may not be stored`] : []),
  ]
}

/** What the disk says of a file that the command line named. */
const fileError = (path: string, cause: unknown): Error =>
  instanceError('CLEW_FILE', { message: `${path}: ${reasonOf(cause)}`, cause })

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  if (code === 'EEXIST') return 'it is there already, and is not replaced.'
  if (code === 'ENOENT') return 'it is not there.'
  return messageOf(cause)
}
