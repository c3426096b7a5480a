import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { instanceError } from '../../errors.ts'
import { green, print } from '../print.ts'
import { withConsole } from '../remote/connect.ts'
import type { RemoteOptions } from '../remote/options.ts'
import { findMaps } from './find-maps.ts'

export interface UploadMapsOptions extends RemoteOptions {
  readonly release?: string
}

const pack = promisify(gzip)

/**
 * Uploads the source map of every built file of a folder.
 *
 * @throws CLEW_NO_SOURCE_MAPS, CLEW_CONSOLE_REFUSED
 */
export async function uploadMaps(folder: string, { release = '', ...options }: UploadMapsOptions): Promise<number> {
  const maps = await findMaps(folder)
  if (maps.length === 0) throw instanceError('CLEW_NO_SOURCE_MAPS', { details: folder })
  return withConsole(options, async (api) => {
    for (const { path, chunkId, content } of maps) {
      const query = new URLSearchParams({ path, ...(release && { release }), ...(chunkId && { chunk: chunkId }) })
      await api.send('POST', `/error-source-maps?${query}`, await pack(content))
    }
    const files = maps.length === 1 ? 'one source map' : `${maps.length} source maps`
    print(`  ${green('✓')} ${files}${release && ` of ${release}`}, on ${api.name}`)
    return 0
  })
}
