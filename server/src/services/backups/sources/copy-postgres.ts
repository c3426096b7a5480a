import type { CopiedServer, TarEntry } from '../../../engines/postgres/index.ts'
import type { ArchiveWriter, CopiedFile } from '../copies/archive-writer.ts'
import type { Manifest } from '../copies/manifest.ts'

/** Written anew by each start. */
const ownLog = 'server.log'

/** Adds the files of a running cluster, and the log that makes them consistent. */
export async function copyPostgres(
  writer: ArchiveWriter,
  server: CopiedServer,
): Promise<Omit<NonNullable<Manifest['postgres']>, 'tables'>> {
  const copy = await server.takeBaseBackup('clew backup', async (entry) => {
    if (entry.kind === 'file' && entry.path !== ownLog) await writer.file(fileOf(entry))
    if (entry.kind === 'folder' && entry.path !== '') await writer.folder(entry.path, entry.mode)
    if (entry.kind === 'link') await writer.link(entry.path, entry.linkTo)
  })
  const { manifest, ...place } = copy
  await writer.file({
    path: 'backup_manifest',
    mode: 0o600,
    modifiedMs: 0,
    sizeBytes: manifest.length,
    ...streamed,
    read: async (offset, length) => manifest.subarray(offset, offset + length),
  })
  return { ...server.facts, ...place }
}

const streamed = { isStream: true, isImmutable: false, close: async () => undefined }

const fileOf = ({ path, mode, modifiedMs, sizeBytes, read }: TarEntry): CopiedFile => ({
  ...{ path, mode, modifiedMs, sizeBytes },
  ...streamed,
  read: (_offset, length) => read(length),
})
