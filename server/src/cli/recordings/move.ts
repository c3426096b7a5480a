import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { instanceError } from '../../errors.ts'
import { messageOf } from '../../ground/errors/message.ts'
import { writeDownload } from '../../transfer/index.ts'
import { green, print } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'

/** Writes the recording of a session, or a clip of it, into a file. @throws CLEW_CONSOLE_REFUSED, CLEW_FILE, CLEW_START_SETTING */
export async function exportRecording(
  session: string,
  { out, from, to, ...options }: RemoteOptions & { out?: string; from?: string; to?: string },
): Promise<number> {
  const kind = from === undefined && to === undefined ? 'recording' : 'clip'
  const file = out ?? `${kind}-${session.replaceAll(/[^\w-]/g, '_')}.clew.gz`
  const query = new URLSearchParams({
    ...(from !== undefined && { from: String(readTime('--from', from)) }),
    ...(to !== undefined && { to: String(readTime('--to', to)) }),
  })
  return withConsole(options, async (api) => {
    const body = await api.stream(`/sessions/${encodeURIComponent(session)}/file?${query}`)
    const download = writeDownload(file, { body, sizeBytes: null }, { overwrites: false })
    const bytes = await download.catch((cause: unknown) => {
      throw fileError(file, cause)
    })
    print(`  ${green('✓')} ${file}, ${bytes} bytes`)
    return 0
  })
}

/** Milliseconds of `1:23.4`, `1:02:03`, or of seconds. */
function readTime(option: string, text: string): number {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:\.\d{1,3})?)$/.exec(text)
  if (parts === null)
    throw instanceError('CLEW_START_SETTING', { message: `${option} is "${text}"; allowed: 1:23.4, or seconds.` })
  const [hours, minutes, seconds] = [parts[1], parts[2], parts[3]].map((part) => Number(part ?? 0))
  return Math.round((((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000)
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
