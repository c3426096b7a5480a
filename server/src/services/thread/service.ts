import { damagedBytesGauge } from '../../engines/spool/index.ts'
import type { OperatorActions } from '../../ground/model/operator-actions.ts'
import { threadCommandLine, threadConsole } from './console.ts'
import { recordingFileRoute } from './recording-file.ts'
import type { Thread } from './thread.ts'

/** The thread's part of the console: sessions, requests, histories of rows. */
export const threadService = (thread: Thread, actions: OperatorActions) => ({
  console: [threadConsole(thread, actions), recordingFileRoute(thread, actions)],
  commandLine: [threadCommandLine(thread, actions), recordingFileRoute(thread, actions)],
  gauges: [
    {
      name: 'clew_requests_waiting_bytes',
      help: 'Records of finished requests that are not stored yet',
      read: () => thread.waiting().bytes,
    },
    {
      name: 'clew_requests_lag_seconds',
      help: 'How long the oldest finished request that is not stored yet has waited',
      read: () => thread.waiting().lagMs / 1000,
    },
    {
      name: 'clew_requests_lost_total',
      help: 'Finished requests since the start of which no record could be kept, for want of room',
      read: () => thread.waiting().lostRequests,
    },
    damagedBytesGauge(() => thread.waiting().damagedBytes),
  ],
  health: thread.health,
  close: thread.close,
})
