import type { ChangeCause } from '../../ground/model/change.ts'

/** The prefix of logical messages that name the cause of their transaction. */
export const causePrefix = 'clew'

/**
 * SQL that names a transaction's cause: in the write-ahead log for the change stream, and in the setting `clew.cause` for
 * what the transaction leaves to be done later (requests of pg_net, webhooks).
 *
 * @param id     an SQL expression of type text
 * @param suffix SQL that appends to it in the message alone, `|| 'text'`
 */
export const causeSql = (id: string, suffix = ''): string =>
  `pg_catalog.pg_logical_emit_message(true, '${causePrefix}', pg_catalog.set_config('clew.cause', ${id}, true)${suffix})`

/** Reads the content of a message: an id; for a job that has a name, the name on the next line. */
export function readCause(content: string): ChangeCause {
  const end = content.indexOf('\n')
  return end === -1 ? { id: content, jobName: null } : { id: content.slice(0, end), jobName: content.slice(end + 1) }
}
