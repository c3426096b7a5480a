import type { Moment, SessionDetail } from '../../../lib/api/schemas.ts'
import { createDecoder } from '../../../player/decode.ts'
import type { Recording } from '../../../player/recording.ts'
import { fits, type Shape } from './fits.ts'
import { shapes } from './shapes.gen.ts'

/** A recording that was opened from a file. */
export interface OpenedFile {
  readonly name: string
  readonly exportedAt: string
  /** Whether the timeline may show values of rows. */
  readonly values: boolean
  readonly detail: SessionDetail
  readonly recording: Recording
  /** Moments of the timeline that this console cannot show. */
  readonly leftOut: number
}

/** Why a file cannot be opened, in words. */
export class FileRefusal extends Error {
  override readonly name = 'FileRefusal'
}

const knownForm = 1
const mib = 1024 ** 2
const limits = { totalBytes: 1024 * mib, lineBytes: 32 * mib, moments: 100_000 }
/** Text that is decoded at a time: each time the recording is put together anew. */
const pieceLength = 8 * mib
const { answer, named } = shapes as {
  readonly answer: { readonly properties: Readonly<Record<string, Shape>> }
  readonly named: Readonly<Record<string, Shape>>
}
const momentShape: Shape = { $ref: '#/Moment' }
const headShape: Shape = {
  ...answer,
  required: Object.keys(answer.properties).filter((name) => name !== 'moments'),
}

/**
 * Opens a recording in this browser: nothing of it is sent.
 *
 * @throws FileRefusal for a file that is no recording, of another form, not whole or too large
 */
export async function readRecordingFile(file: Blob & { readonly name: string }): Promise<OpenedFile> {
  const decoder = createDecoder()
  const moments: Moment[] = []
  let head: Head | undefined
  let leftOut = 0
  let end: unknown
  let messages = ''
  let recording: Recording = { windows: [], damaged: 0 }
  const decode = async () => {
    recording = await decoder.add(messages)
    messages = ''
  }
  for await (const line of linesOf(file)) {
    if (head === undefined) head = readHead(line)
    else if (line.startsWith('{"moment":')) {
      const moment = parse(line)?.moment
      if (moments.length < limits.moments && fits(moment, momentShape, named)) moments.push(moment as Moment)
      else leftOut += 1
    } else if (line.startsWith('{"end":')) end = parse(line)?.end
    else {
      messages += `${line}\n`
      if (messages.length > pieceLength) await decode()
    }
  }
  if (head === undefined || end === undefined)
    throw new FileRefusal('The file is not whole. Download or copy it again.')
  await decode()
  const { exportedAt, values, detail } = head
  const session = { ...detail.session, live: false, hasRecording: true }
  return { name: file.name, exportedAt, values, detail: { ...detail, session, moments }, recording, leftOut }
}

interface Head {
  readonly exportedAt: string
  readonly values: boolean
  readonly detail: Omit<SessionDetail, 'moments'>
}

function readHead(line: string): Head {
  const head = parse(line)
  if (head?.clewRecording === undefined) throw new FileRefusal('This is no recording of Clew.')
  if (head.clewRecording !== knownForm)
    throw new FileRefusal('The file has another form than this console reads. Open it with the release that wrote it.')
  if (!fits(head.detail, headShape, named))
    throw new FileRefusal('The file does not say of which session it is, in the form that this console reads.')
  return {
    exportedAt: typeof head.exportedAt === 'string' ? head.exportedAt : '',
    values: head.values === true,
    // It has the shape.
    detail: head.detail as Head['detail'],
  }
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The lines of a packed file; no more than a piece of it is held. */
async function* linesOf(file: Blob): AsyncGenerator<string> {
  const text = file.stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(new TextDecoderStream())
  const reader = text.getReader()
  let rest = ''
  let total = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new FileRefusal('The file is damaged, or no recording of Clew.')
      })
      if (done) break
      total += value.length
      if (total > limits.totalBytes || rest.length > limits.lineBytes)
        throw new FileRefusal('The recording is larger than the console opens. Import it with the command line.')
      if (!value.includes('\n')) {
        rest += value
        continue
      }
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
