import type { Causes } from '../gateway/index.ts'
import type { FunctionLog } from '../ground/model/function-log.ts'
import type { RequestRecord } from '../ground/model/request.ts'
import type { Issues } from '../services/issues/index.ts'
import type { Thread } from '../services/thread/index.ts'

/** What ends in a request and what functions log, for the thread and for the errors. */
export const joinErrors = (thread: Thread, issues: Issues, causes: Pick<Causes, 'tagOf'>) => ({
  requestEnded(record: RequestRecord): void {
    thread.requestEnded(record)
    issues.requestEnded(record)
  },
  functionLogged(line: FunctionLog): void {
    thread.functionLogged(line)
    issues.functionLogged(line, line.requestId === null ? null : causes.tagOf(line.requestId))
  },
})
