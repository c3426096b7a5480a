import type { SnapshotContext, SnapshotMessage } from '../../../ground/model/recording.ts'
import { createDeviceReader } from './device.ts'
import { renderLine } from './line.ts'
import { scanEvents } from './scan.ts'
import { unpackLines } from './unpack-lines.ts'

const deviceOf = createDeviceReader()

/** What capture needs to keep a recording's messages; a thread has one of its own. */
export const recordings = {
  scan: scanEvents,
  toLine: (message: SnapshotMessage, context: SnapshotContext): Buffer | null =>
    renderLine(message, context, deviceOf(context.userAgent)),
  unpack: unpackLines,
}

/** Where a thread finds them. */
export const recordingsModule = import.meta.url
