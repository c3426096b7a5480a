import { directoryOf } from '../../instance/directory.ts'
import {
  bytesOfPoint,
  findVersionRecord,
  listRestorePoints,
  nameOf,
  type RestorePoint,
} from '../../instance/upgrade/index.ts'
import { formatBytes } from '../backup/progress.ts'
import { print, printRows } from '../print.ts'
import { settingsOf } from '../settings-of.ts'
import type { ListOptions } from './options.ts'

/** Lists the restore points of a data directory, and says which version has written it. */
export async function list({ json = false, ...options }: ListOptions): Promise<number> {
  const { instance } = await settingsOf({ ...options })
  const { data } = directoryOf(instance.data)
  const record = await findVersionRecord(data)
  const points = await Promise.all(
    (await listRestorePoints(data)).map(async (point) => ({ ...point, bytes: await bytesOfPoint(data, point.id) })),
  )
  if (json) {
    const { version = null, upgrade = null } = record ?? {}
    print(JSON.stringify({ version, upgrade, restorePoints: points }, null, 2))
    return 0
  }
  if (record !== null) print(`  ${data} was written by Clew ${record.version}`)
  if (record?.upgrade) print(`  Its upgrade from ${nameOf(record.upgrade.from)} did not end.`)
  if (points.length === 0) print('  There is no restore point.')
  else
    printRows(
      ['restore point', 'data of', 'kept', 'size', 'upgrade'],
      points.map((point) => [
        point.id,
        nameOf(point.version),
        reasonOf(point),
        formatBytes(point.bytes),
        resultOf(point),
      ]),
      ['size'],
    )
  return 0
}

const reasonOf = ({ reason, other }: RestorePoint): string =>
  reason === 'upgrade' ? `before the upgrade to ${nameOf(other)}` : `when ${nameOf(other)} was put back`

const resultOf = ({ reason, result }: RestorePoint): string => {
  if (reason === 'rollback') return ''
  return result === null ? 'did not end' : `checked ${result.at}`
}
