import { isObject } from '../../../ground/json/object.ts'
import { type RecordingFileHead, recordingFileVersion } from '../../../ground/model/recording.ts'
import { replayError } from '../errors.ts'

/** As of sessions that are captured: it stands in URLs and queries. */
const sessionIdForm = /^[A-Za-z0-9-]{1,70}$/
/** A session's facts are some kilobytes. */
const longestHead = 1024 * 1024

/**
 * Reads a file's first line.
 *
 * @throws CLEW_REPLAY_FILE_FORM, CLEW_REPLAY_FILE_VERSION
 */
export function readHead(line: Buffer): Pick<RecordingFileHead, 'sessionId'> {
  const head = line.length > longestHead ? null : parse(line)
  if (head === null || head.clewRecording === undefined) throw replayError('CLEW_REPLAY_FILE_FORM')
  if (head.clewRecording !== recordingFileVersion)
    throw replayError('CLEW_REPLAY_FILE_VERSION', {
      message: `The file has the form ${JSON.stringify(head.clewRecording).slice(0, 20)}; this version of Clew reads ${recordingFileVersion}.`,
    })
  const { sessionId } = head
  if (typeof sessionId !== 'string' || !sessionIdForm.test(sessionId))
    throw replayError('CLEW_REPLAY_FILE_FORM', { message: 'The file names no session.' })
  return { sessionId }
}

function parse(line: Buffer) {
  try {
    const value: unknown = JSON.parse(line.toString())
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
