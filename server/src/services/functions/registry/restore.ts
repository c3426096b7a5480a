import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptVersions } from '../kept/kept-versions.ts'
import type { KeptVersion } from '../kept/store.ts'
import { type MadeVersion, makeVersion, type VersionDeps } from '../source/version.ts'

/** Makes a version from its kept files, as it was made at first. @throws BOOT_ERROR */
export async function restoreVersion(
  version: KeptVersion,
  kept: Pick<KeptVersions, 'restore'>,
  deps: VersionDeps,
): Promise<MadeVersion> {
  const project = join(deps.folder, `.restore-${randomUUID()}`)
  try {
    await kept.restore(version, project)
    return await makeVersion(version, { ...deps, project, packagesOf: deps.project })
  } finally {
    await rm(project, { recursive: true, force: true })
  }
}
