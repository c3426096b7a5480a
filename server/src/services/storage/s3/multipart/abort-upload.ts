import { storageError } from '../../errors.ts'
import type { Operate } from '../call.ts'
import { requireUpload } from './require-upload.ts'
import { deleteUploadStatement } from './store.ts'

export const abortUpload: Operate = async (services, call) => {
  const { sql, files } = services
  const { name } = await requireUpload(services, call)
  const { rows } = await sql.asService<{ version: string | null }>(call.own, { statement: deleteUploadStatement(name) })
  if (rows.length === 0) throw storageError('NoSuchUpload')
  await files.remove(rows.flatMap(({ version }) => version ?? []))
  return { status: 204 }
}
