import type { FunctionLog } from '../../../ground/model/function-log.ts'
import { stringifyWellFormed } from '../../../ground/text/well-formed.ts'
import { clickhouseTime } from './request-lines.ts'

/** The columns of `function_logs`, in the order of a line's values. */
export const logColumns = 'id time name version execution_id request_id kind level text'.split(' ')

/** A line of a function's log as a row. */
export const logLine = (
  id: string,
  { at, name, version, executionId, requestId, kind, level, text }: FunctionLog,
): string =>
  stringifyWellFormed([id, clickhouseTime(at), name, version, executionId, requestId ?? '', kind, level, text])
